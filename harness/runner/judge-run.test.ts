import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { CHECKER_NAMES, type CheckerName, SAFETY_CHECKERS } from "../checkers/checker-name.ts";
import { unknown, VALID, type Verdict } from "../checkers/verdict.ts";
import type { Expectation, Expectations } from "../scenario/scenario.ts";
import { judgeRun } from "./judge-run.ts";
import { checkersThatSay, HEADER, invalid, planWith } from "./runner.fixture.ts";

const history = { header: HEADER, events: [] };
const judge = (verdicts: Partial<Record<CheckerName, Verdict>>, expect: Expectations = {}) =>
  judgeRun({ history, plan: planWith(), expect, checkers: checkersThatSay(verdicts) });
const conclusion = (verdicts: Partial<Record<CheckerName, Verdict>>, expected: Expectations = {}) => {
  const { outcome, reason } = judge(verdicts, expected);
  return `${outcome}: ${reason}`;
};

describe("judgeRun", () => {
  test("matches when everything held", () => {
    expect(conclusion({})).toBe("matched: Everything held that was to hold.");
  });

  test("asks every checker, in their order, and records what was expected", () => {
    const { checkers } = judge({ stale: invalid("W1 wrote late.") }, { stale: "invalid", actual: "any" });

    expect(checkers.map(({ checker }) => checker)).toEqual([...CHECKER_NAMES]);
    expect(checkers.find(({ checker }) => checker === "stale")).toEqual({
      checker: "stale",
      expected: "invalid",
      verdict: invalid("W1 wrote late."),
      met: true,
    });
    expect(checkers.find(({ checker }) => checker === "actual")).toMatchObject({
      expected: "any",
      met: true,
    });
  });

  test("an expected violation that shows is a match, and is told", () => {
    expect(conclusion({ stale: invalid("W1 wrote late.") }, { stale: "invalid" })).toBe(
      "matched: As expected, stale: W1 wrote late.",
    );
  });

  test("an expected violation that does not show was not reproduced", () => {
    expect(conclusion({}, { stale: "invalid", actual: "invalid" })).toBe(
      "not-reproduced: The violation that was expected of actual, stale did not show.",
    );
  });

  test("what must hold and does not is a violation", () => {
    expect(conclusion({ danger: invalid("C forgot.") })).toBe("violated: danger: C forgot.");
  });

  test("a call that comes late is no violation of safety", () => {
    expect(conclusion({ settling: invalid("W1#1 took 9 s.") })).toBe("late: settling: W1#1 took 9 s.");
  });

  test("a vacuous run is inconclusive", () => {
    expect(conclusion({ vacuity: unknown("nobody met anybody") })).toBe(
      "inconclusive: vacuity: nobody met anybody",
    );
    expect(conclusion({ vacuity: invalid("Nobody met anybody.") })).toBe(
      "inconclusive: vacuity: Nobody met anybody.",
    );
  });

  test("a checker that cannot tell is inconclusive, whichever answer was demanded", () => {
    expect(judge({ stale: unknown("no record") }).outcome).toBe("inconclusive");
    expect(judge({ stale: unknown("no record") }, { stale: "invalid" }).outcome).toBe("inconclusive");
    expect(judge({ stale: unknown("no record") }, { stale: "any" }).outcome).toBe("matched");
  });

  test("a violation stands even where another checker cannot tell and a call is late", () => {
    const verdicts = { declared: invalid("Both."), stale: unknown("?"), settling: invalid("Late.") };

    expect(judge(verdicts, { actual: "invalid" }).outcome).toBe("violated");
  });

  test("late comes before inconclusive, inconclusive before not reproduced", () => {
    expect(judge({ recovery: invalid("Late."), stale: unknown("?") }).outcome).toBe("late");
    expect(judge({ stale: unknown("?") }, { actual: "invalid" }).outcome).toBe("inconclusive");
  });

  test("a checker that crashes cannot tell", () => {
    const checkers = {
      ...checkersThatSay(),
      danger: () => {
        throw new RangeError("of the index");
      },
    };

    expect(judgeRun({ history, plan: planWith(), expect: {}, checkers })).toMatchObject({
      outcome: "inconclusive",
      reason: "danger: the checker failed: of the index",
    });
  });

  const verdict = fc.constantFrom<Verdict>(VALID, invalid("Found."), unknown("?"));
  const expectation = fc.constantFrom<Expectation>("valid", "invalid", "any");
  const drawn = <Value>(value: fc.Arbitrary<Value>) =>
    fc.dictionary(fc.constantFrom(...CHECKER_NAMES), value) as fc.Arbitrary<
      Partial<Record<CheckerName, Value>>
    >;

  property.prop([drawn(verdict), drawn(expectation)])(
    "matches only if every checker said what was expected, and never hides a violation",
    (verdicts, expected) => {
      const { outcome, checkers } = judge(verdicts, expected);
      const isViolated = SAFETY_CHECKERS.some(
        (name) => verdicts[name]?.kind === "invalid" && (expected[name] ?? "valid") === "valid",
      );

      expect(outcome === "matched").toBe(checkers.every(({ met }) => met));
      expect(outcome === "violated").toBe(isViolated);
    },
  );
});
