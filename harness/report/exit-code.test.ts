import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { exitCodeFor, gravestOf } from "./exit-code.ts";
import type { RunOutcome } from "./run-result.ts";

const NOT_INTERRUPTED = { interrupted: false };
const runs = (...outcomes: RunOutcome[]) => outcomes.map((outcome) => ({ outcome }));

describe("exitCodeFor", () => {
  test.each<[RunOutcome, number]>([
    ["matched", 0],
    ["violated", 1],
    ["not-reproduced", 2],
    ["inconclusive", 2],
    ["late", 3],
    ["infrastructure", 70],
  ])("one run that is %s ends with %i", (outcome, code) => {
    expect(exitCodeFor(runs(outcome), NOT_INTERRUPTED)).toBe(code);
  });

  test("an expected violation that shows in 4 of 5 repetitions only is inconclusive", () => {
    const outcomes = runs("matched", "matched", "not-reproduced", "matched", "matched");

    expect(exitCodeFor(outcomes, NOT_INTERRUPTED)).toBe(2);
  });

  test("what was skipped does not spoil what matched", () => {
    expect(exitCodeFor(runs("skipped", "matched"), NOT_INTERRUPTED)).toBe(0);
  });

  test("a command that played nothing has shown nothing", () => {
    expect(exitCodeFor([], NOT_INTERRUPTED)).toBe(2);
    expect(exitCodeFor(runs("skipped", "skipped"), NOT_INTERRUPTED)).toBe(2);
  });

  test("an interruption wins over a violation, a violation over a missing server", () => {
    expect(exitCodeFor(runs("violated", "infrastructure"), { interrupted: true })).toBe(130);
    expect(exitCodeFor(runs("infrastructure", "violated", "late"), NOT_INTERRUPTED)).toBe(1);
    expect(exitCodeFor(runs("late", "infrastructure"), NOT_INTERRUPTED)).toBe(70);
    expect(exitCodeFor(runs("inconclusive", "late"), NOT_INTERRUPTED)).toBe(3);
  });
});

describe("thresholds", () => {
  const endsWith = (outcome: "kept" | "breached" | "unmeasured", run: RunOutcome = "matched") =>
    exitCodeFor(runs(run), { ...NOT_INTERRUPTED, thresholds: [{ outcome }] });

  test("a breach is 4, below safety and liveness; what nobody measured is inconclusive", () => {
    expect([endsWith("kept"), endsWith("breached"), endsWith("unmeasured")]).toEqual([0, 4, 2]);
    expect([endsWith("breached", "violated"), endsWith("breached", "late")]).toEqual([1, 3]);
    expect(endsWith("breached", "inconclusive")).toBe(4);
  });
});

describe("gravestOf", () => {
  const order = [130, 64, 1, 70, 5, 3, 4, 2, 0];

  test.prop([fc.subarray(order, { minLength: 1 }), fc.infiniteStream(fc.nat())])(
    "takes the first of the documented order, however the codes are shuffled",
    (codes, keys) => {
      const shuffled = codes
        .map((code) => ({ code, key: keys.next().value as number }))
        .toSorted((left, right) => left.key - right.key)
        .map(({ code }) => code);

      expect(gravestOf(shuffled)).toBe(codes[0]);
    },
  );
});
