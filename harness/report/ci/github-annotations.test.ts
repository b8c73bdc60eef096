import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { checkerResults, invalid, runResult } from "../run-result.fixture.ts";
import type { RunResult } from "../run-result.ts";
import { annotationLine, githubAnnotations } from "./github-annotations.ts";

const violated = (differences: Partial<RunResult> = {}) =>
  runResult({
    outcome: "violated",
    checkers: checkerResults({ declared: invalid("W1 and W2 both believed") }),
    ...differences,
  });
const annotationsOf = (...runs: readonly RunResult[]) => githubAnnotations({ runs, thresholds: [] });

/** As GitHub's runner does: the percent sign last. */
const readBack = (text: string) =>
  text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");

describe("githubAnnotations", () => {
  test("what matched is not worth a line", () => {
    expect(annotationsOf(runResult(), runResult({ outcome: "skipped" }))).toEqual([]);
  });

  test("one invariant is one error, however many runs broke it, with what repeats the first", () => {
    expect(annotationsOf(violated(), violated({ repetition: 2 }), violated({ scenario: "S17" }))).toEqual([
      "::error title=redlock-lab%3A declared broken in S16 plain::W1 and W2 both believed (and in 2 more runs)" +
        "%0Aredlock-lab run S16 --variant plain --backend local --seed 7",
    ]);
  });

  test("an expected violation is none", () => {
    const checkers = checkerResults({ stale: invalid("old") }, { stale: "invalid" });
    expect(annotationsOf(violated({ checkers }))).toEqual([]);
  });

  test.each([
    ["infrastructure", "error"],
    ["non-deterministic", "error"],
    ["not-reproduced", "warning"],
    ["inconclusive", "warning"],
  ] as const)("%s is one %s", (outcome, level) => {
    const run = runResult({ outcome, reason: "port 7001 is taken" });
    const [line, ...rest] = annotationsOf(run, run);
    expect(rest).toEqual([]);
    expect(line).toMatch(
      new RegExp(`^::${level} title=redlock-lab%3A .*port 7001 is taken \\(and in 1 more runs\\)`),
    );
  });

  test("a threshold that was breached is an error, one that nobody measured a warning", () => {
    const lines = githubAnnotations({
      runs: [],
      thresholds: [
        { name: "max-p99-ms", limitMs: 30, worst: null, outcome: "unmeasured" },
        {
          name: "max-recovery-ms",
          limitMs: 30,
          worst: { measuredMs: 31, where: "S20 plain", sampleCount: 1 },
          outcome: "breached",
        },
        {
          name: "max-p99-ms",
          limitMs: 30,
          worst: { measuredMs: 3, where: "S20 plain", sampleCount: 1 },
          outcome: "kept",
        },
      ],
    });
    expect(lines.map((line) => line.split("::")[1])).toEqual([
      "error title=redlock-lab%3A --max-recovery-ms breached",
      "warning title=redlock-lab%3A --max-p99-ms unmeasured",
    ]);
  });
});

describe("annotationLine", () => {
  test.prop([fc.string({ unit: "binary" }), fc.string({ unit: "binary" })])(
    "is one line that no text can end or add a property to",
    (title, message) => {
      const line = annotationLine({ level: "error", title, message });
      expect(line).not.toMatch(/[\r\n]/);
      const property = line.slice("::error title=".length, line.indexOf("::", 2));
      expect(property).not.toMatch(/[:,]/);
      expect(readBack(property)).toBe(title);
      expect(readBack(line.slice(line.indexOf("::", 2) + 2))).toBe(message);
    },
  );
});
