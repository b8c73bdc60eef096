import { describe, expect, test } from "vitest";
import { acquire } from "./acquire.ts";
import type { Belief } from "./belief.ts";
import { extend } from "./extend.ts";
import { release, type ReleaseOutcome } from "./release.ts";
import type { Round } from "./round.ts";
import { rulesOf } from "./rules.fixture.ts";
import { BROKEN, CUT, type FateOf, PROMPT, UNHEARD, VirtualWorld } from "./virtual-world.fixture.ts";

const REQUEST = { resource: "orders", ttlMs: 1000, waitMs: 0 };

interface Holding {
  readonly world: VirtualWorld;
  readonly belief: Belief;
  readonly acquired: Round;
}

function holding(fateOf: FateOf): Holding {
  const world = new VirtualWorld({ nodeCount: 5, fateOf });
  let grant: { belief: Belief; round: Round } | undefined;
  world.start(1, acquire(REQUEST, rulesOf()), (outcome) => {
    if (outcome.kind === "granted") grant = outcome;
  });
  world.runUntil(60);
  if (grant === undefined) throw new Error("the lock was not granted");
  return { world, belief: grant.belief, acquired: grant.round };
}

function releaseAt({ world, belief, acquired }: Holding, atMs: number): () => ReleaseOutcome | undefined {
  let outcome: ReleaseOutcome | undefined;
  world.runUntil(atMs);
  world.start(1, release({ belief, acquired, longestTtlMs: 1000 }, rulesOf()), (result) => {
    outcome = result;
  });
  return () => outcome;
}

describe("release", () => {
  test("the belief is over before the first delete leaves, and the delete goes to every node", () => {
    const held = holding(() => PROMPT);
    const { world, belief } = held;
    world.onSend = ({ command }) => {
      expect(command.kind).toBe("delete");
      expect(belief.remainingMs(world.nowMs)).toBe(0);
    };
    const outcome = releaseAt(held, 100);
    world.runUntil(104);
    expect(outcome()?.kind).toBe("released");
    expect(world.sent.slice(5).map(({ nodeIndex }) => nodeIndex)).toEqual([0, 1, 2, 3, 4]);
  });

  test("releasing what has expired is an outcome, and deletes nothing of somebody else's (peers 39)", () => {
    const held = holding(() => PROMPT);
    const { world } = held;
    world.runUntil(1010);
    for (const keys of world.nodes) keys.set("orders", { value: "other", expiresAtMs: 9999 });
    const outcome = releaseAt(held, 1100);
    world.runUntil(1200);
    expect(outcome()?.kind).toBe("expired");
    expect(world.nodes.every((keys) => keys.get("orders")?.value === "other")).toBe(true);
  });

  test("a value that no node holds any more has expired, though its time was not over", () => {
    const held = holding(() => PROMPT);
    const { world } = held;
    for (const keys of world.nodes) keys.clear();
    const outcome = releaseAt(held, 100);
    world.runUntil(104);
    expect(outcome()?.kind).toBe("expired");
  });

  test("a majority that is away leaves it unconfirmed within one node timeout", () => {
    const held = holding(({ nodeIndex, atMs }) => (atMs > 60 && nodeIndex < 3 ? CUT : PROMPT));
    const { world } = held;
    const outcome = releaseAt(held, 100);
    world.runUntil(150);
    expect(outcome()?.kind).toBe("unconfirmed");
  });

  test("deletes that are never answered are counted as orphans", () => {
    const held = holding(({ nodeIndex, atMs }) => (atMs > 60 && nodeIndex < 2 ? UNHEARD : PROMPT));
    const { world } = held;
    releaseAt(held, 100);
    world.runUntil(20_000);
    expect(world.orphanCount).toBe(2);
  });

  test("on a node whose connection broke the delete is repeated until it is confirmed", () => {
    const held = holding(({ nodeIndex, atMs }) =>
      atMs > 60 && atMs < 500 && nodeIndex < 2 ? BROKEN : PROMPT,
    );
    const { world } = held;
    const outcome = releaseAt(held, 100);
    world.runUntil(2000);
    expect(outcome()?.kind).toBe("released");
    expect(world.orphanCount).toBe(0);
    expect(world.nodes.map((keys) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test.each([
    ["broken", BROKEN],
    ["silent", CUT],
  ])("a repeated delete that stays %s is given up when the key cannot live any more", (_how, later) => {
    const held = holding(({ nodeIndex, atMs }) => {
      if (atMs <= 60 || nodeIndex > 0) return PROMPT;
      return atMs === 100 ? BROKEN : later;
    });
    const { world } = held;
    releaseAt(held, 100);
    world.runUntil(50_000);
    expect(world.orphanCount).toBe(1);
    expect(Math.max(...world.sent.map(({ atMs }) => atMs))).toBeLessThan(11_100);
  });

  test("a won round's stragglers keep their keys while the lock is believed in (S59)", () => {
    // D and E execute the acquire unheard; a renewal counts A, D, E. Nothing may ever delete D and E for it.
    const held = holding(({ nodeIndex, command }) => {
      if (command.kind === "acquire") return nodeIndex >= 3 ? UNHEARD : PROMPT;
      return nodeIndex === 1 || nodeIndex === 2 ? CUT : PROMPT;
    });
    const { world, belief } = held;
    world.runUntil(500);
    world.start(1, extend(belief, 1000, rulesOf()), () => undefined);
    world.runUntil(1480);
    expect(belief.deadlineMs).toBe(1488);
    expect(belief.isOver(world.nowMs)).toBe(false);
    expect(world.sent.some(({ command }) => command.kind === "delete")).toBe(false);
    expect([0, 3, 4].every((nodeIndex) => world.isLive(nodeIndex, "orders", belief.value))).toBe(true);
  });
});
