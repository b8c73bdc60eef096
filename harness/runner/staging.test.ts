import { describe, expect, test } from "vitest";
import type { StagingCondition } from "../scenario/run-plan.ts";
import { eventsOf, grantedBy } from "./runner.fixture.ts";
import { unmetConditions } from "./staging.ts";

const BY_ABC: StagingCondition = { kind: "granted-by", worker: "W1", nodes: ["A", "B", "C"] };
const PAUSED_FIRST: StagingCondition = {
  kind: "order",
  earlier: { kind: "worker-paused", worker: "W1" },
  later: { kind: "section-left" },
};
const paused = { kind: "worker-paused", worker: "W1" } as const;
const left = { kind: "section-left", worker: "W1", hold: "W1/1" } as const;

describe("unmetConditions", () => {
  test("a grant by exactly the nodes is as told, in whatever order they voted", () => {
    expect(unmetConditions(eventsOf(grantedBy("W1", "C", "A", "B")), [BY_ABC])).toEqual([]);
  });

  test("nodes that did not grant do not count", () => {
    const grant = grantedBy("W1", "A", "B");
    const votes = [{ node: "C", kind: "refused", reason: "held", roundTripMs: 1 } as const];
    const event = {
      ...grant,
      ...(grant.kind === "acquire-granted" ? { votes: [...grant.votes, ...votes] } : {}),
    };

    expect(unmetConditions(eventsOf(event), [BY_ABC])).toEqual([
      "W1 was to be granted by A, B, C, but was granted by A, B.",
    ]);
  });

  test("one node more is not as told", () => {
    expect(unmetConditions(eventsOf(grantedBy("W1", "D", "A", "B", "C")), [BY_ABC])).toEqual([
      "W1 was to be granted by A, B, C, but was granted by A, B, C, D.",
    ]);
  });

  test("only the first hold counts, and only the worker's own", () => {
    const events = eventsOf(grantedBy("W2", "D"), grantedBy("W1", "A", "B", "C"), grantedBy("W1", "E"));

    expect(unmetConditions(events, [BY_ABC])).toEqual([]);
  });

  test("no grant at all is not as told", () => {
    expect(unmetConditions(eventsOf(grantedBy("W2", "A", "B", "C")), [BY_ABC])).toEqual([
      "W1 was to be granted by A, B, C, but was granted nothing.",
    ]);
  });

  test("an order is as told when the first of each came so", () => {
    expect(unmetConditions(eventsOf(paused, left, paused), [PAUSED_FIRST])).toEqual([]);
  });

  test.each([
    [[left, paused], "worker-paused W1 was to come before section-left, but came after it."],
    [[left], "worker-paused W1 was to come before section-left, but never came."],
    [[paused], "worker-paused W1 was to come before section-left, but the latter never came."],
  ])("an order that did not come about says how", (bodies, sentence) => {
    expect(unmetConditions(eventsOf(...bodies), [PAUSED_FIRST])).toEqual([sentence]);
  });

  test("tells each condition that did not come about", () => {
    expect(unmetConditions([], [BY_ABC, PAUSED_FIRST])).toHaveLength(2);
  });
});
