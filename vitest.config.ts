import { defineConfig } from "vitest/config";

/** Where .ci/run reads the numbers of a run. */
const reportFile =
  process.env["REDLOCK_LAB_TEST_REPORT"] ?? "node_modules/.cache/redlock-lab/test-report.json";

export default defineConfig({
  test: {
    reporters: ["default", "json"],
    outputFile: { json: reportFile },
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,harness,scenarios}/**/*.test.ts"],
          exclude: ["**/dist/**"],
          sequence: { groupOrder: 0 },
          // Nothing here waits; a property takes long on a machine that is busy with something else.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["tests/**/*.test.ts"],
          exclude: ["**/dist/**"],
          // Faults are timed: two runs of the laboratory beside each other disturb one another on 2 cores.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
