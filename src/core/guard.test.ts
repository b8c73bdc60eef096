/** What the procedures make of nodes that may have forgotten (design rule 8). */
import { describe, expect, test } from "vitest";
import type { GuardTerms } from "../ports/command.ts";
import type { NodeReply } from "../ports/reply.ts";
import { acquire, type AcquireOutcome } from "./acquire.ts";
import { Belief } from "./belief.ts";
import { extend, type ExtendOutcome } from "./extend.ts";
import { membershipOf } from "./guard-record.ts";
import { rulesOf } from "./rules.fixture.ts";
import { trustFirstUse } from "./trust-first-use.ts";
import { CUT, type Fate, PROMPT, VirtualWorld } from "./virtual-world.fixture.ts";

const GUARD: GuardTerms = { membership: membershipOf(["A", "B", "C", "D", "E"]), longestLifetimeMs: 1000 };
const RULES = rulesOf({ guard: GUARD });
const MISMATCHED: NodeReply = { kind: "refused", reason: "mismatched", found: "other nodes" };

/** Nodes refuse by their index: as quarantined until a time, or as guarded for others. */
function worldWith(
  refusals: Readonly<Record<number, number | "mismatched">>,
  fateOf: (nodeIndex: number) => Fate = () => PROMPT,
): VirtualWorld {
  const world = new VirtualWorld({ nodeCount: 5, fateOf: ({ nodeIndex }) => fateOf(nodeIndex) });
  world.guardReply = (nodeIndex, nowMs) => {
    const refusal = refusals[nodeIndex];
    if (refusal === "mismatched") return MISMATCHED;
    if (refusal === undefined || nowMs > refusal) return undefined;
    return { kind: "refused", reason: "quarantined", leftMs: refusal - nowMs };
  };
  return world;
}

function acquireIn(world: VirtualWorld, waitMs = 0): () => AcquireOutcome | undefined {
  let outcome: AcquireOutcome | undefined;
  world.start(1, acquire({ resource: "orders", ttlMs: 500, waitMs }, RULES), (result) => {
    outcome = result;
  });
  return () => outcome;
}

const acquiresSentAt = (world: VirtualWorld): number[] => [
  ...new Set(world.sent.filter(({ command }) => command.kind === "acquire").map(({ atMs }) => atMs)),
];

describe("acquire", () => {
  test("a minority in quarantine costs nothing", () => {
    const world = worldWith({ 0: 900, 1: 900 });
    const outcome = acquireIn(world);
    world.runUntil(4);
    expect(outcome()?.kind).toBe("granted");
  });

  test("a quorum that cannot be had from the others fails, and nothing of it is left", () => {
    const world = worldWith({ 0: 900, 1: 900, 2: 900 });
    const outcome = acquireIn(world);
    world.runUntil(20);
    expect(outcome()).toMatchObject({ kind: "failed", code: "unavailable" });
    expect(outcome()?.round.votes[0]).toEqual({
      node: "A",
      kind: "refused",
      reason: "quarantined",
      leftMs: 898,
      roundTripMs: 4,
    });
    expect(world.nodes.map((keys) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("who waits sleeps until enough quarantines are over, and asks nobody before", () => {
    const world = worldWith({ 0: 300, 1: 700, 2: 900, 3: 5_000 });
    const outcome = acquireIn(world, 3_000);
    world.runUntil(3_000);
    expect(outcome()).toMatchObject({ kind: "granted", attemptCount: 2 });
    const [first, second = 0, ...others] = acquiresSentAt(world);
    expect([first, others]).toEqual([0, []]);
    // A and B have to vote beside E.
    expect(second).toBeGreaterThanOrEqual(700);
    expect(second).toBeLessThan(750);
  });

  test("the wait limit comes first, with an attempt at it", () => {
    const world = worldWith({ 0: 9_000, 1: 9_000, 2: 9_000 });
    const outcome = acquireIn(world, 400);
    world.runUntil(1_000);
    expect(acquiresSentAt(world)).toEqual([0, 400]);
    expect(outcome()).toMatchObject({ code: "unavailable", attemptCount: 2 });
  });

  test("where quarantines do not decide it goes on as ever", () => {
    const world = worldWith({ 0: 9_000 }, (nodeIndex) => (nodeIndex >= 2 ? CUT : PROMPT));
    acquireIn(world, 1_000);
    world.runUntil(1_000);
    expect(acquiresSentAt(world).length).toBeGreaterThan(4);
  });

  test("nodes that are guarded for others are misuse, which no waiting mends", () => {
    const world = worldWith({ 0: "mismatched", 1: "mismatched", 2: "mismatched" });
    const outcome = acquireIn(world, 10_000);
    world.runUntil(50);
    expect(outcome()).toMatchObject({ kind: "failed", code: "misuse", attemptCount: 1 });
  });

  test("with a quorum of others out of reach it is the outage that is told", () => {
    const world = worldWith({ 0: "mismatched" }, (nodeIndex) => (nodeIndex >= 2 ? CUT : PROMPT));
    const outcome = acquireIn(world);
    world.runUntil(100);
    expect(outcome()).toMatchObject({ code: "unavailable" });
  });
});

describe("extend", () => {
  function extendIn(world: VirtualWorld): { belief: Belief; outcome: () => ExtendOutcome | undefined } {
    const granted = acquireIn(world);
    world.runUntil(20);
    const first = granted();
    if (first?.kind !== "granted") throw new Error("the lock was not granted");
    let outcome: ExtendOutcome | undefined;
    return {
      belief: first.belief,
      outcome: () => {
        if (outcome === undefined) {
          world.start(1, extend(first.belief, 500, RULES), (result) => (outcome = result));
          world.runUntil(40);
        }
        return outcome;
      },
    };
  }

  test.each([
    ["in quarantine", 9_000],
    ["guarded for others", "mismatched"],
  ] as const)("a quorum %s cannot hold the value: lost", (_how, refusal) => {
    const world = worldWith({});
    const { belief, outcome } = extendIn(world);
    world.guardReply = worldWith({ 0: refusal, 1: refusal, 2: refusal }).guardReply;
    expect(outcome()).toMatchObject({ kind: "over", ending: "lost" });
    expect(belief.isOver(world.nowMs)).toBe(true);
  });

  test("a minority in quarantine is no loss, and no vote", () => {
    const world = worldWith({});
    const { outcome } = extendIn(world);
    world.guardReply = worldWith({ 0: 9_000, 1: 9_000 }).guardReply;
    expect(outcome()?.kind).toBe("extended");
  });
});

describe("trustFirstUse", () => {
  function trustIn(world: VirtualWorld): boolean | undefined {
    let trusted: boolean | undefined;
    world.start(1, trustFirstUse(GUARD, RULES), (result) => (trusted = result));
    world.runUntil(5_000);
    return trusted;
  }
  test("where all nodes answer and none has a guard, all get one", () => {
    const world = worldWith({});
    expect(trustIn(world)).toBe(true);
    expect(world.guarded.size).toBe(5);
  });

  test("one guard anywhere, and nobody is trusted", () => {
    const world = worldWith({});
    world.guarded.add(4);
    expect(trustIn(world)).toBe(false);
    expect(world.guardCommands).not.toContain("trust");
  });

  test("one node that is silent, and nobody is trusted", () => {
    const world = worldWith({});
    world.guardFate = (nodeIndex) => (nodeIndex === 2 ? CUT : PROMPT);
    expect(trustIn(world)).toBe(false);
    expect(world.guardCommands).not.toContain("trust");
  });
});
