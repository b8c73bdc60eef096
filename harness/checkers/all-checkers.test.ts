import { describe, expect, test } from "vitest";
import { historyOf, hold, section, settled } from "../history/history.fixture.ts";
import { ALL_CHECKERS, guarded } from "./all-checkers.ts";
import { CHECKER_NAMES } from "./checker-name.ts";
import { EVIDENCE_MAX, verdictFromEvidence } from "./verdict.ts";

const NOTHING = { contention: false, events: [] };
const HEALTHY = historyOf([
  ...hold("W1/1", { at: 5, release: 100 }),
  ...section("W1/1", 6, 99),
  ...hold("W2/1", { at: 110, release: 200 }),
  ...section("W2/1", 111, 199),
  ...settled(500),
]);

describe("ALL_CHECKERS", () => {
  test("has every checker, in the order of the names", () => {
    expect(Object.keys(ALL_CHECKERS)).toEqual(CHECKER_NAMES);
  });

  test.each(CHECKER_NAMES)("%s finds a healthy history valid", (name) => {
    expect(ALL_CHECKERS[name](HEALTHY, NOTHING)).toEqual({ kind: "valid" });
  });

  test.each(CHECKER_NAMES)("%s cannot tell anything from a history with a hole", (name) => {
    const broken = { ...HEALTHY, events: HEALTHY.events.slice(1) };

    expect(ALL_CHECKERS[name](broken, NOTHING)).toEqual({
      kind: "unknown",
      reason: "the history is broken at event 0: seq is 1 where 0 was due",
    });
  });

  test("a checker that fails is no pass and no crash", () => {
    const failing = guarded(() => {
      throw new Error("division by worker");
    });

    expect(failing(HEALTHY, NOTHING)).toEqual({
      kind: "unknown",
      reason: "the checker failed: Error: division by worker",
    });
  });
});

describe("verdictFromEvidence", () => {
  test("carries no more evidence than anybody can read", () => {
    const piece = { sentence: "", fromMs: 0, toMs: 0, seqs: [] };
    const verdict = verdictFromEvidence(Array.from({ length: EVIDENCE_MAX + 1 }, () => piece));

    expect(verdict.kind === "invalid" ? verdict.evidence : []).toHaveLength(EVIDENCE_MAX);
  });
});
