/** The last line of .ci/run, in a folder where a stand-in for npm behaves as each case says. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "..", "..");

interface Behaviour {
  /** Exit codes. */
  readonly ci?: number;
  readonly test?: number;
  readonly check?: number;
  /** What the test runner reports; nothing where it crashed. */
  readonly report?: object;
}

const report = (passed: number, failed: number, more: object = {}) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...more,
});

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "redlock-lab-ci-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function runCi({ ci = 0, test = 0, check = 0, report }: Behaviour) {
  for (const name of [".ci", "bin"]) mkdirSync(join(folder, name));
  const script = join(folder, ".ci", "run");
  copyFileSync(join(repository, ".ci", "run"), script);
  const npm = join(folder, "bin", "npm");
  const write =
    report === undefined ? "" : `printf '%s' '${JSON.stringify(report)}' > "$REDLOCK_LAB_TEST_REPORT"`;
  writeFileSync(
    npm,
    `#!/bin/sh
case "$1 $2" in
  "ci ") exit ${ci} ;;
  "test ") ${write}
    exit ${test} ;;
  "run check") exit ${check} ;;
esac
exit 99
`,
  );
  chmodSync(npm, 0o755);

  const path = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;
  const { status, stdout } = spawnSync("bash", [script], {
    env: { ...process.env, PATH: path },
    encoding: "utf8",
  });
  return { status, lastLine: stdout.trimEnd().split("\n").at(-1) };
}

describe(".ci/run", () => {
  test.each<{ story: string; behaviour: Behaviour; lastLine: string; status: number }>([
    {
      story: "everything passes",
      behaviour: { report: report(12, 0) },
      lastLine: "12 passed, 0 failed",
      status: 0,
    },
    {
      story: "tests fail",
      behaviour: { test: 1, report: report(10, 2) },
      lastLine: "10 passed, 2 failed",
      status: 1,
    },
    {
      story: "a check fails as well",
      behaviour: { test: 1, check: 1, report: report(10, 2) },
      lastLine: "10 passed, 3 failed",
      status: 1,
    },
    { story: "the runner crashes", behaviour: { test: 1 }, lastLine: "0 passed, 1 failed", status: 1 },
    {
      story: "the installation fails",
      behaviour: { ci: 1, report: report(12, 0) },
      lastLine: "0 passed, 1 failed",
      status: 1,
    },
    {
      story: "an error outside every test",
      behaviour: { test: 1, report: report(12, 0) },
      lastLine: "12 passed, 1 failed",
      status: 1,
    },
    {
      story: "a file cannot be loaded",
      behaviour: {
        test: 1,
        report: report(12, 0, { testResults: [{ status: "failed", assertionResults: [] }] }),
      },
      lastLine: "12 passed, 1 failed",
      status: 1,
    },
    {
      story: "a test is skipped",
      behaviour: { report: report(12, 0, { numPendingTests: 1 }) },
      lastLine: "12 passed, 1 failed",
      status: 1,
    },
    {
      story: "no test ran",
      behaviour: { report: report(0, 0) },
      lastLine: "0 passed, 1 failed",
      status: 1,
    },
  ])("where $story it ends with $lastLine", ({ behaviour, lastLine, status }) => {
    expect(runCi(behaviour)).toEqual({ lastLine, status });
  });
});
