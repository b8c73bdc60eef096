import { describe, expect, test } from "vitest";
import { acquire } from "./acquire.ts";
import type { Belief } from "./belief.ts";
import { extend } from "./extend.ts";
import { release, type ReleaseOutcome } from "./release.ts";
import { rulesOf } from "./rules.fixture.ts";
import { BROKEN, CUT, type FateOf, PROMPT, UNHEARD, VirtualWorld } from "./virtual-world.fixture.ts";

const REQUEST = { resource: "orders", ttlMs: 1000, waitMs: 0 };

function holding(fateOf: FateOf): { world: VirtualWorld; belief: Belief } {
  const world = new VirtualWorld({ nodeCount: 5, fateOf });
  let belief: Belief | undefined;
  world.start(1, acquire(REQUEST, rulesOf()), (outcome) => {
    if (outcome.kind === "granted") belief = outcome.belief;
  });
  world.runUntil(60);
  if (belief === undefined) throw new Error("the lock was not granted");
  return { world, belief };
}

function releaseAt(world: VirtualWorld, atMs: number, belief: Belief): () => ReleaseOutcome | undefined {
  let outcome: ReleaseOutcome | undefined;
  world.runUntil(atMs);
  world.start(1, release(belief, 1000, rulesOf()), (result) => {
    outcome = result;
  });
  return () => outcome;
}

describe("release", () => {
  test("the belief is over before the first delete leaves, and the delete goes to every node", () => {
    const { world, belief } = holding(() => PROMPT);
    world.onSend = ({ command }) => {
      expect(command.kind).toBe("delete");
      expect(belief.remainingMs(world.nowMs)).toBe(0);
    };
    const outcome = releaseAt(world, 100, belief);
    world.runUntil(104);
    expect(outcome()?.kind).toBe("released");
    expect(world.sent.slice(5).map(({ nodeIndex }) => nodeIndex)).toEqual([0, 1, 2, 3, 4]);
  });

  test("releasing what has expired is an outcome, and deletes nothing of somebody else's", () => {
    const { world, belief } = holding(() => PROMPT);
    world.runUntil(1010);
    for (const keys of world.nodes) keys.set("orders", { value: "other", expiresAtMs: 9999 });
    const outcome = releaseAt(world, 1100, belief);
    world.runUntil(1200);
    expect(outcome()?.kind).toBe("expired");
    expect(world.nodes.every((keys) => keys.get("orders")?.value === "other")).toBe(true);
  });

  test("a value that no node holds any more has expired, though its time was not over", () => {
    const { world, belief } = holding(() => PROMPT);
    for (const keys of world.nodes) keys.clear();
    const outcome = releaseAt(world, 100, belief);
    world.runUntil(104);
    expect(outcome()?.kind).toBe("expired");
  });

  test("a majority that is away leaves it unconfirmed within one node timeout", () => {
    const { world, belief } = holding(({ nodeIndex, atMs }) => (atMs > 60 && nodeIndex < 3 ? CUT : PROMPT));
    const outcome = releaseAt(world, 100, belief);
    world.runUntil(150);
    expect(outcome()?.kind).toBe("unconfirmed");
  });

  test("deletes that are never answered are counted as orphans", () => {
    const { world, belief } = holding(({ nodeIndex, atMs }) =>
      atMs > 60 && nodeIndex < 2 ? UNHEARD : PROMPT,
    );
    releaseAt(world, 100, belief);
    world.runUntil(20_000);
    expect(world.orphanCount).toBe(2);
  });

  test("on a node whose connection broke the delete is repeated until it is confirmed", () => {
    const { world, belief } = holding(({ nodeIndex, atMs }) =>
      atMs > 60 && atMs < 500 && nodeIndex < 2 ? BROKEN : PROMPT,
    );
    const outcome = releaseAt(world, 100, belief);
    world.runUntil(2000);
    expect(outcome()?.kind).toBe("released");
    expect(world.orphanCount).toBe(0);
    expect(world.nodes.map((keys) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test.each([
    ["broken", BROKEN],
    ["silent", CUT],
  ])("a repeated delete that stays %s is given up when the key cannot live any more", (_how, later) => {
    const { world, belief } = holding(({ nodeIndex, atMs }) => {
      if (atMs <= 60 || nodeIndex > 0) return PROMPT;
      return atMs === 100 ? BROKEN : later;
    });
    releaseAt(world, 100, belief);
    world.runUntil(50_000);
    expect(world.orphanCount).toBe(1);
    expect(Math.max(...world.sent.map(({ atMs }) => atMs))).toBeLessThan(11_100);
  });

  test("a won round's stragglers keep their keys while the lock is believed in (S59)", () => {
    // D and E execute the acquire unheard; a renewal counts A, D, E. Nothing may ever delete D and E for it.
    const { world, belief } = holding(({ nodeIndex, command }) => {
      if (command.kind === "acquire") return nodeIndex >= 3 ? UNHEARD : PROMPT;
      return nodeIndex === 1 || nodeIndex === 2 ? CUT : PROMPT;
    });
    world.runUntil(500);
    world.start(1, extend(belief, 1000, rulesOf()), () => undefined);
    world.runUntil(1480);
    expect(belief.deadlineMs).toBe(1488);
    expect(belief.isOver(world.nowMs)).toBe(false);
    expect(world.sent.some(({ command }) => command.kind === "delete")).toBe(false);
    expect([0, 3, 4].every((nodeIndex) => world.isLive(nodeIndex, "orders", belief.value))).toBe(true);
  });
});
