import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["{src,harness,scenarios}/**/*.test.ts"], exclude: ["**/dist/**"] } },
      {
        test: {
          name: "e2e",
          include: ["tests/**/*.test.ts"],
          exclude: ["**/dist/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
