import { describe, expect, test } from "vitest";
import { acquire } from "./acquire.ts";
import { Belief } from "./belief.ts";
import { extend, type ExtendOutcome } from "./extend.ts";
import { rulesOf } from "./rules.fixture.ts";
import { BROKEN, CUT, type FateOf, PROMPT, UNHEARD, VirtualWorld } from "./virtual-world.fixture.ts";

const REQUEST = { resource: "orders", ttlMs: 1000, waitMs: 0 };

/** W1 holds the resource since 0 with a deadline of 988; `fateOf` rules all that comes later. */
function holding(fateOf: FateOf, holdFateOf: FateOf = () => PROMPT): { world: VirtualWorld; belief: Belief } {
  const world = new VirtualWorld({
    nodeCount: 5,
    fateOf: (sent, count) => (count < 5 ? holdFateOf(sent, count) : fateOf(sent, count)),
  });
  let belief: Belief | undefined;
  world.start(1, acquire(REQUEST, rulesOf()), (outcome) => {
    if (outcome.kind === "granted") belief = outcome.belief;
  });
  world.runUntil(60);
  if (belief === undefined) throw new Error("the lock was not granted");
  return { world, belief };
}

function extendAt(
  world: VirtualWorld,
  atMs: number,
  belief: Belief,
  ttlMs = 1000,
): () => ExtendOutcome | undefined {
  let outcome: ExtendOutcome | undefined;
  world.runUntil(atMs);
  world.start(1, extend(belief, ttlMs, rulesOf()), (result) => {
    outcome = result;
  });
  return () => outcome;
}

describe("extend", () => {
  test("a fresh quorum moves the deadline to start + TTL - drift", () => {
    const { world, belief } = holding(() => PROMPT);
    const outcome = extendAt(world, 500, belief);
    world.runUntil(504);
    expect(outcome()?.kind).toBe("extended");
    expect(belief.deadlineMs).toBe(1488);
  });

  test("a shorter extension leaves the belief and the keys as they are (S60 a)", () => {
    const { world, belief } = holding(() => PROMPT);
    extendAt(world, 100, belief, 200);
    world.runUntil(950);
    expect(belief.deadlineMs).toBe(988);
    expect(world.isLive(0, "orders", belief.value)).toBe(true);
  });

  test("a late shorter extension cannot shorten a longer one (S60 b)", () => {
    const late: FateOf = ({ command }) =>
      command.kind === "extend" && command.ttlMs === 200 ? { requestMs: 600, replyMs: "lost" } : PROMPT;
    // Another connection: the link of client 2 carries the held-up command, that of client 1 the prompt one.
    const { world, belief } = holding(late);
    world.runUntil(100);
    world.start(2, extend(belief, 200, rulesOf({ nodeTimeoutMs: 50 })), () => undefined);
    extendAt(world, 600, belief, 1000);
    world.runUntil(1550);
    expect(belief.deadlineMs).toBe(1588);
    expect(world.isLive(0, "orders", belief.value)).toBe(true);
  });

  test("a lost renewal is never undone: the value stays where it is (S58, peers 42)", () => {
    const { world, belief } = holding(({ command }) => (command.kind === "extend" ? UNHEARD : PROMPT));
    extendAt(world, 300, belief);
    world.runUntil(980);
    expect(world.sent.some(({ command }) => command.kind === "delete")).toBe(false);
    expect(belief.isOver(world.nowMs)).toBe(false);
    expect(world.isLive(0, "orders", belief.value)).toBe(true);
  });

  test("silence is no loss: it is asked again until the deadline, then the lock has expired (peers 50)", () => {
    const { world, belief } = holding(() => CUT);
    const outcome = extendAt(world, 300, belief);
    world.runUntil(987);
    expect(outcome()).toBeUndefined();
    world.runUntil(1000);
    expect(outcome()).toMatchObject({ kind: "over", ending: "expired" });
    expect(world.sent.filter(({ command }) => command.kind === "extend").length).toBeGreaterThan(15);
  });

  test("a round in which all have answered and too few granted is asked again at once", () => {
    const { world, belief } = holding(({ nodeIndex, atMs }) =>
      atMs < 320 && nodeIndex >= 2 ? BROKEN : PROMPT,
    );
    const outcome = extendAt(world, 300, belief);
    world.runUntil(345);
    expect(outcome()?.kind).toBe("extended");
  });

  test("an outage that ends in time costs nothing (peers 50)", () => {
    const { world, belief } = holding(({ atMs }) => (atMs < 600 ? CUT : PROMPT));
    const outcome = extendAt(world, 300, belief);
    world.runUntil(980);
    expect(outcome()?.kind).toBe("extended");
    expect(belief.deadlineMs).toBeGreaterThan(1588);
  });

  test("the lock is lost at once when no quorum can hold it any more (S31)", () => {
    const { world, belief } = holding(
      () => PROMPT,
      ({ nodeIndex }) => (nodeIndex >= 3 ? CUT : PROMPT),
    );
    world.runUntil(300);
    world.nodes[2]?.clear();
    for (const nodeIndex of [3, 4])
      world.nodes[nodeIndex]?.set("orders", { value: "other", expiresAtMs: 9999 });
    const outcome = extendAt(world, 310, belief);
    world.runUntil(314);
    expect(outcome()).toMatchObject({ kind: "over", ending: "lost" });
    expect(belief.remainingMs(world.nowMs)).toBe(0);
  });

  test("a loss does not hide behind one slow answer", () => {
    const { world, belief } = holding(({ nodeIndex }) => {
      if (nodeIndex >= 3) return CUT;
      return nodeIndex === 2 ? { requestMs: 2, replyMs: 30 } : PROMPT;
    });
    world.runUntil(300);
    for (const keys of world.nodes) keys.clear();
    const outcome = extendAt(world, 310, belief);
    world.runUntil(342);
    expect(outcome()).toMatchObject({ kind: "over", ending: "lost" });
  });

  test.each([
    [2, "extended"],
    [3, "over"],
  ])("%i of five nodes without the key: %s", (goneCount, kind) => {
    // The others answer late, so that the missing ones are counted alone first.
    const { world, belief } = holding(({ nodeIndex }) =>
      nodeIndex < goneCount ? PROMPT : { requestMs: 2, replyMs: 30 },
    );
    for (const keys of world.nodes.slice(0, goneCount)) keys.clear();
    const outcome = extendAt(world, 300, belief);
    world.runUntil(340);
    expect(outcome()?.kind).toBe(kind);
  });

  test("the votes of a failure are those of the last round that was asked; none, where none was", () => {
    const { world, belief } = holding(({ nodeIndex }) => (nodeIndex < 2 ? PROMPT : CUT));
    const outcome = extendAt(world, 900, belief);
    world.runUntil(1100);
    expect(outcome()?.round?.votes.map(({ kind: vote }) => vote)).toEqual([
      ...["granted", "granted"],
      ...["unknown", "unknown", "unknown"],
    ]);
    const later = extendAt(world, 1100, belief);
    expect(later()).toEqual({ kind: "over", ending: "expired", round: undefined });
  });

  test("loss is final: keys that come back do not bring the belief back (peers 47)", () => {
    const { world, belief } = holding(() => PROMPT);
    belief.end("lost");
    const outcome = extendAt(world, 310, belief);
    expect(outcome()).toMatchObject({ kind: "over", ending: "lost" });
    expect(world.sent).toHaveLength(5);
  });

  test("a quorum that is decided at or past the deadline raises nothing (S30, peers 46)", () => {
    const { world, belief } = holding(({ nodeIndex }) =>
      nodeIndex === 0 ? PROMPT : { requestMs: 2, replyMs: 40 },
    );
    const outcome = extendAt(world, 960, belief);
    world.runUntil(1100);
    expect(outcome()).toMatchObject({ kind: "over", ending: "expired" });
    expect(belief.deadlineMs).toBe(988);
  });

  test("a release during the round wins over its quorum", () => {
    const { world, belief } = holding(() => PROMPT);
    const outcome = extendAt(world, 500, belief);
    world.runUntil(501);
    belief.end("released");
    world.runUntil(600);
    expect(outcome()).toMatchObject({ kind: "over", ending: "released" });
    expect(belief.deadlineMs).toBe(988);
  });

  test("an OK for a renewal that was given up is not counted for the next one (S65)", () => {
    // Round 1 at 300: C, D, E execute, their OKs come at 375. Round 2 at 360 hears A and B only.
    const { world, belief } = holding(({ nodeIndex, atMs }) => {
      if (atMs < 350) return nodeIndex >= 2 ? { requestMs: 2, replyMs: 73 } : CUT;
      return nodeIndex < 2 && atMs < 400 ? PROMPT : CUT;
    });
    const outcome = extendAt(world, 300, belief);
    world.runUntil(1000);
    expect(outcome()).toMatchObject({ kind: "over", ending: "expired" });
    expect(belief.deadlineMs).toBe(988);
  });
});
