import { defineConfig } from "vitest/config";
import { OTHER_SERVERS } from "./tests/servers/other-servers.ts";

/** Where .ci/run reads the numbers of a run. */
const reportFile =
  process.env["REDLOCK_LAB_TEST_REPORT"] ?? "node_modules/.cache/redlock-lab/test-report.json";

/** What must hold on whatever server stands behind a node; the rest of the laboratory runs on its own. */
const TESTS_OF_SERVERS = [
  "tests/coordinator/{coordinator,undo}.test.ts",
  "tests/contract/{redis-node,simulated-node}.test.ts",
];

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
      ...OTHER_SERVERS.map(({ name, path }, index) => ({
        test: {
          name,
          include: TESTS_OF_SERVERS,
          env: { REDIS_SERVER: path },
          fileParallelism: false,
          sequence: { groupOrder: 2 + index },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      })),
    ],
  },
});
