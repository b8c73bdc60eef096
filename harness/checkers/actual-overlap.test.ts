import { describe, expect, test } from "vitest";
import { type At, historyOf, hold, section, settled } from "../history/history.fixture.ts";
import { checkActualOverlap } from "./actual-overlap.ts";

const verdictOf = (...events: readonly At[]) => checkActualOverlap(historyOf([...events, ...settled(5000)]));

describe("checkActualOverlap", () => {
  test("without a hold, or without a critical section, nothing can be said", () => {
    expect(verdictOf()).toEqual({ kind: "unknown", reason: "no worker ever held a resource" });
    expect(verdictOf(...hold("W1/1", { at: 5 }))).toEqual({
      kind: "unknown",
      reason: "no worker ever entered the critical section",
    });
  });

  test("sections one after the other are valid, though the beliefs overlap", () => {
    expect(
      verdictOf(
        ...hold("W1/1", { at: 5 }),
        ...section("W1/1", 6, 50),
        ...hold("W2/1", { at: 115 }),
        ...section("W2/1", 116, 150),
      ),
    ).toEqual({ kind: "valid" });
  });

  test("S01: a holder that outlives its deadline meets the next one in the section", () => {
    expect(
      verdictOf(
        ...hold("W1/1", { at: 5, deadline: 988 }),
        ...section("W1/1", 6, 3010),
        ...hold("W2/1", { at: 1105 }),
        ...section("W2/1", 1106, 1160),
      ),
    ).toMatchObject({
      kind: "invalid",
      evidence: [
        { sentence: "W1 (W1/1) and W2 (W2/1) both were in the critical section of orders from 1106 to 1160" },
      ],
    });
  });
});
