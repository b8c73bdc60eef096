import { describe, expect, test } from "vitest";
import { type At, historyOf, hold, keySet } from "../history/history.fixture.ts";
import { roundsToWinner } from "./split-votes.ts";

const roundsIn = (...events: readonly At[]) => roundsToWinner(historyOf(events));

describe("roundsToWinner", () => {
  test("nobody won, or nobody watched the nodes", () => {
    const unwatched = hold("W1/1", { at: 5 }).filter(([, { kind }]) => kind !== "key-set");

    expect(roundsIn()).toBeUndefined();
    expect(roundsIn(...unwatched)).toBeUndefined();
  });

  test("won at once is one round", () => {
    expect(roundsIn(...hold("W1/1", { at: 5 }))).toEqual({ median: 1, p90: 1, most: 1 });
  });

  test("each lost attempt that took a node was a round, however many nodes it took", () => {
    expect(
      roundsIn(
        keySet(1, "A", "W2/lost"),
        keySet(1, "B", "W2/lost"),
        keySet(2, "C", "W3/lost"),
        ...hold("W1/1", { at: 50 }),
      ),
    ).toMatchObject({ most: 3 });
  });

  test("every grant is a contest of its own, of its own resource; what is found again is no attempt", () => {
    expect(
      roundsIn(
        keySet(1, "A", "W2/lost"),
        keySet(2, "A", "W2/other", { resource: "bills" }),
        ...hold("W1/1", { at: 50, release: 60 }),
        keySet(70, "D", "W3/old", { cause: "recovered" }),
        ...hold("W1/2", { at: 80, release: 90 }),
      ),
    ).toEqual({ median: 1, p90: 2, most: 2 });
  });
});
