import { describe, expect, test } from "vitest";
import { applied, down, healed, historyOf, up } from "../history/history.fixture.ts";
import { reachabilityOf } from "./reachability.ts";

describe("reachabilityOf", () => {
  const split = reachabilityOf(
    historyOf([
      applied(0, "cut-w1", "DE", ["W1"]),
      applied(0, "cut-w2", "AB", ["W2"]),
      down(50, "C"),
      up(120, "C"),
      healed(300, "cut-w1"),
    ]),
  );

  test("a worker is cut off from a node by its links and by the node", () => {
    expect(split.cutOff("W1", "D")).toMatchObject([{ fromMs: 0, toMs: 300 }]);
    expect(split.cutOff("W2", "A")).toMatchObject([{ fromMs: 0, toMs: Infinity }]);
    expect(split.cutOff("W2", "C")).toMatchObject([{ fromMs: 50, toMs: 120 }]);
    expect(split.cutOff("W1", "A")).toEqual([]);
  });

  test("a quorum is in reach as soon as one of the workers has it", () => {
    expect(split.withoutQuorum(["W1"])).toEqual([{ fromMs: 50, toMs: 120 }]);
    expect(split.withoutQuorum(["W1", "W2"])).toEqual([{ fromMs: 50, toMs: 120 }]);
    expect(split.withoutQuorum(["W1", "W2", "W3"])).toEqual([]);
  });

  test("times without a quorum that follow on are one, and may have no end", () => {
    const dying = reachabilityOf(
      historyOf([
        down(10, "A"),
        down(20, "B"),
        down(30, "C"),
        down(40, "D"),
        up(60, "A"),
        up(70, "B"),
        down(80, "B"),
      ]),
    );

    expect(dying.withoutQuorum(["W1"])).toEqual([
      { fromMs: 30, toMs: 70 },
      { fromMs: 80, toMs: Infinity },
    ]);
  });
});
