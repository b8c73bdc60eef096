import { describe, expect, test } from "vitest";
import { GRANTED, HELD, MISSING } from "../ports/reply.ts";
import { Round } from "./round.ts";

describe("Round", () => {
  test("it counts each kind of reply, and who is silent", () => {
    const round = new Round(["A", "B", "C", "D", "E"], 100);
    round.settle(0, GRANTED, 102);
    round.settle(1, HELD, 103);
    round.settle(2, MISSING, 104);
    round.settle(3, { kind: "unknown", cause: "the connection was closed", mayHaveRun: true }, 105);
    expect([
      round.grantedCount,
      round.refusedCount("held"),
      round.refusedCount("missing", "foreign"),
    ]).toEqual([1, 1, 1]);
    expect([round.unknownCount, round.silentCount]).toEqual([1, 1]);
    expect(round.votes).toEqual([
      { node: "A", kind: "granted", roundTripMs: 2 },
      { node: "B", kind: "refused", reason: "held", roundTripMs: 3 },
      { node: "C", kind: "refused", reason: "missing", roundTripMs: 4 },
      { node: "D", kind: "unknown", cause: "the connection was closed", roundTripMs: 5 },
      { node: "E", kind: "unknown", cause: "no answer yet" },
    ]);
  });

  test("the first reply of a node stays: a repeated one is no news", () => {
    const round = new Round(["A"], 0);
    round.settle(0, GRANTED, 2);
    round.takeNews();
    round.settle(0, HELD, 9);
    expect(round.hasNews).toBe(false);
    expect(round.votes).toEqual([{ node: "A", kind: "granted", roundTripMs: 2 }]);
  });
});
