import { describe, expect, test } from "vitest";
import type { SentCommand } from "../ports/command.ts";
import type { TokenSource } from "../ports/token-source.ts";
import { acquire, type AcquireOutcome, type AcquireRequest } from "./acquire.ts";
import { rulesOf } from "./rules.fixture.ts";
import { BROKEN, CUT, type FateOf, PROMPT, UNHEARD, VirtualWorld } from "./virtual-world.fixture.ts";

const REQUEST: AcquireRequest = { resource: "orders", ttlMs: 1000, waitMs: 0 };
const SOURCE: TokenSource = { next: () => Promise.resolve(1n) };

function acquireIn(
  world: VirtualWorld,
  request: AcquireRequest = REQUEST,
  rules = rulesOf(),
): () => AcquireOutcome | undefined {
  let outcome: AcquireOutcome | undefined;
  world.start(1, acquire(request, rules), (result) => {
    outcome = result;
  });
  return () => outcome;
}

function worldOf(fateOf: FateOf): VirtualWorld {
  return new VirtualWorld({ nodeCount: 5, fateOf });
}

const sentKinds = (world: VirtualWorld): SentCommand["kind"][] =>
  world.sent.map(({ command }) => command.kind);

describe("acquire", () => {
  test("a healthy round is won at the third vote, and its deadline counts from before the first send", () => {
    const world = worldOf(() => PROMPT);
    world.nowMs = 100;
    const outcome = acquireIn(world);
    world.runUntil(104);
    expect(outcome()).toMatchObject({ kind: "granted", belief: { deadlineMs: 1088 }, attemptCount: 1 });
  });

  test("nobody waits for stragglers: two cut nodes cost nothing (peers 6, 7, 8, 9)", () => {
    const world = worldOf(({ nodeIndex }) => (nodeIndex >= 3 ? CUT : PROMPT));
    const outcome = acquireIn(world);
    world.runUntil(4);
    expect(outcome()?.kind).toBe("granted");
  });

  test("a vote that comes after the decision updates the record and decides nothing", () => {
    const world = worldOf(({ nodeIndex }) => (nodeIndex === 4 ? { requestMs: 2, replyMs: 30 } : PROMPT));
    const outcome = acquireIn(world);
    world.runUntil(10);
    expect(outcome()?.round.votes[4]).toMatchObject({ node: "E", kind: "unknown" });
    world.runUntil(40);
    expect(outcome()?.round.votes[4]).toEqual({ node: "E", kind: "granted", roundTripMs: 32 });
  });

  test("silence is unknown, the round fails at the node timeout, and everything sent is undone at once (peers 4, 10, N4)", () => {
    const world = worldOf(({ nodeIndex }) => (nodeIndex >= 2 ? UNHEARD : PROMPT));
    const outcome = acquireIn(world);
    world.runUntil(49);
    expect(outcome()).toBeUndefined();
    world.runUntil(50);
    expect(outcome()).toMatchObject({ kind: "failed", code: "unavailable" });
    expect(world.sent.filter(({ command, atMs }) => command.kind === "delete" && atMs === 50)).toHaveLength(
      5,
    );
    world.runUntil(60);
    expect(world.nodes.map((keys) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("a quorum that comes when the time is over is no lock (S02, S06, peers 1)", () => {
    const world = worldOf(() => ({ requestMs: 2, replyMs: 2 }));
    const outcome = acquireIn(world, REQUEST, rulesOf({ nodeTimeoutMs: 1600 }));
    world.pause(1, 1500);
    world.runUntil(1500);
    expect(outcome()).toMatchObject({ kind: "failed", code: "expired" });
    expect(sentKinds(world).slice(5)).toEqual(Array(5).fill("delete"));
  });

  test("replies slower than the TTL end in a failure at the deadline, not at the node timeout", () => {
    const world = worldOf(() => ({ requestMs: 2, replyMs: 1200 }));
    const outcome = acquireIn(world, REQUEST, rulesOf({ nodeTimeoutMs: 5000 }));
    world.runUntil(988);
    expect(outcome()).toMatchObject({ kind: "failed", code: "unavailable" });
  });

  test("a resource that somebody else holds is contended", () => {
    const world = worldOf(() => PROMPT);
    for (const keys of world.nodes.slice(0, 3)) keys.set("orders", { value: "other", expiresAtMs: 9999 });
    const outcome = acquireIn(world);
    world.runUntil(4);
    expect(outcome()).toMatchObject({ kind: "failed", code: "contended" });
  });

  test("two nodes away and the rest split is contention, since a quorum of nodes answered", () => {
    const world = worldOf(({ nodeIndex }) => (nodeIndex >= 3 ? CUT : PROMPT));
    world.nodes[0]?.set("orders", { value: "other", expiresAtMs: 9999 });
    const outcome = acquireIn(world);
    world.runUntil(60);
    expect(outcome()).toMatchObject({ kind: "failed", code: "contended" });
  });

  test("each attempt draws a fresh value and undoes itself before the next (S23, S27, peers 3)", () => {
    const world = worldOf(() => PROMPT);
    for (const keys of world.nodes.slice(0, 3)) keys.set("orders", { value: "other", expiresAtMs: 30 });
    const outcome = acquireIn(world, { ...REQUEST, waitMs: 500 });
    world.runUntil(200);
    expect(outcome()).toMatchObject({ kind: "granted" });
    const values = world.sent
      .filter(({ command }) => command.kind === "acquire")
      .map(({ command }) => command.value);
    expect(new Set(values).size).toBe(values.length / 5);
    const first = world.sent.slice(0, 10);
    expect(first.map(({ command }) => command.kind)).toEqual([
      ...Array(5).fill("acquire"),
      ...Array(5).fill("delete"),
    ]);
    expect(new Set(first.map(({ command }) => command.value)).size).toBe(1);
  });

  test("an OK for the first attempt is not counted for the second (S65)", () => {
    // Attempt 1: D and E say yes too late. Attempt 2 gets A and B; with the late two it would have four.
    const world = worldOf(({ nodeIndex, command }, count) => {
      if (command.kind !== "acquire") return PROMPT;
      if (count < 5) return nodeIndex >= 3 ? { requestMs: 2, replyMs: 62 } : CUT;
      return nodeIndex < 2 ? PROMPT : CUT;
    });
    const outcome = acquireIn(world, { ...REQUEST, waitMs: 80 }, rulesOf({ nodeTimeoutMs: 50 }));
    world.runUntil(1000);
    const second = world.sent.filter(({ command }) => command.kind === "acquire").slice(5, 10);
    expect(second.map(({ atMs }) => atMs)).toEqual(Array(5).fill(60));
    expect(outcome()).toMatchObject({ kind: "failed", code: "unavailable" });
  });

  test("the last attempt starts at the wait limit and ends the waiting (peers 23)", () => {
    const world = worldOf(() => CUT);
    const outcome = acquireIn(world, { ...REQUEST, waitMs: 300 });
    world.runUntil(349);
    expect(outcome()).toBeUndefined();
    world.runUntil(350);
    expect(outcome()).toMatchObject({ kind: "failed", code: "unavailable" });
    expect(world.sent.filter(({ command }) => command.kind === "acquire").at(-1)?.atMs).toBe(300);
  });
});

describe("the undo of a lost attempt", () => {
  test("is repeated after `missing` where the connection broke under the acquire: it may run yet (S24, peers 59)", () => {
    const world = worldOf(({ nodeIndex, command }) => {
      if (command.kind === "acquire" && nodeIndex === 0) return { ...BROKEN, runsAfterMs: 500 };
      return command.kind === "acquire" && nodeIndex < 4 ? CUT : PROMPT;
    });
    acquireIn(world, { ...REQUEST, ttlMs: 60_000 });
    world.runUntil(500);
    expect(world.sent.some(({ command, nodeIndex }) => command.kind === "delete" && nodeIndex === 0)).toBe(
      true,
    );
    expect(world.nodes[0]?.size).toBe(1);
    world.runUntil(4000);
    expect(world.nodes[0]?.size).toBe(0);
  });

  test("goes on until TTL and longest delay are over, and no longer", () => {
    const world = worldOf(({ command, nodeIndex }) => {
      if (command.kind === "acquire") return nodeIndex === 0 ? BROKEN : CUT;
      return PROMPT;
    });
    acquireIn(world, { ...REQUEST, ttlMs: 1000 }, rulesOf({ longestDelayMs: 5000 }));
    world.runUntil(50_000);
    const lastMs = Math.max(...world.sent.map(({ atMs }) => atMs));
    expect(lastMs).toBeGreaterThan(3900);
    expect(lastMs).toBeLessThan(6050);
    expect(world.orphanCount).toBe(0);
  });

  test("asks a node once where the acquire was refused, and goes on where it is not known to be gone", () => {
    const world = worldOf(({ command, nodeIndex }) => {
      if (command.kind === "acquire") return PROMPT;
      return nodeIndex === 0 || nodeIndex === 4 ? BROKEN : PROMPT;
    });
    for (const keys of world.nodes.slice(0, 3)) keys.set("orders", { value: "other", expiresAtMs: 99_999 });
    acquireIn(world);
    world.runUntil(50_000);
    const deletes = (nodeIndex: number) =>
      world.sent.filter((sent) => sent.command.kind === "delete" && sent.nodeIndex === nodeIndex).length;
    expect(deletes(0)).toBe(1);
    expect(deletes(4)).toBeGreaterThan(5);
    expect(world.orphanCount).toBe(1);
  });
});

describe("acquire with a token source", () => {
  test("the token is drawn after the quorum and belongs to the grant", () => {
    const world = worldOf(() => PROMPT);
    world.tokenDraw = () => {
      expect(world.nowMs).toBe(4);
      return { afterMs: 3, resumption: { kind: "token", token: 34n } };
    };
    const outcome = acquireIn(world, { ...REQUEST, tokenSource: SOURCE });
    world.runUntil(7);
    expect(outcome()).toMatchObject({ kind: "granted", fencingTokens: [34n] });
  });

  test("no token is drawn for a lost round", () => {
    const world = worldOf(() => CUT);
    let drawn = false;
    world.tokenDraw = () => {
      drawn = true;
      return undefined;
    };
    acquireIn(world, { ...REQUEST, tokenSource: SOURCE });
    world.runUntil(100);
    expect(drawn).toBe(false);
  });

  test.each([
    ["fails", { afterMs: 1, resumption: { kind: "token-failed", cause: "down" } } as const, 5, "down"],
    ["is silent until the deadline", undefined, 988, "the token source was silent until the lock's deadline"],
  ])("a source that %s undoes the round", (_name, draw, atMs, cause) => {
    const world = worldOf(() => PROMPT);
    world.tokenDraw = () => draw;
    const outcome = acquireIn(world, { ...REQUEST, tokenSource: SOURCE });
    world.runUntil(atMs);
    expect(outcome()).toMatchObject({ kind: "failed", code: "unavailable", cause });
    expect(sentKinds(world).slice(5)).toEqual(Array(5).fill("delete"));
  });

  test("the clock is read after the draw: a pause that ends behind the deadline is seen", () => {
    const world = worldOf(() => PROMPT);
    world.tokenDraw = () => {
      world.pause(1, 1200);
      return { afterMs: 3, resumption: { kind: "token", token: 36n } };
    };
    const outcome = acquireIn(world, { ...REQUEST, tokenSource: SOURCE });
    world.runUntil(1300);
    expect(outcome()).toMatchObject({ kind: "failed", code: "expired" });
  });

  test("a token that comes exactly at the deadline is too late", () => {
    const world = worldOf(() => PROMPT);
    world.tokenDraw = () => ({ afterMs: 984, resumption: { kind: "token", token: 37n } });
    const outcome = acquireIn(world, { ...REQUEST, tokenSource: SOURCE });
    world.runUntil(988);
    expect(outcome()).toMatchObject({ kind: "failed", code: "expired" });
  });

  test("validity is checked after the draw: a token that comes too late undoes the round", () => {
    const world = worldOf(() => PROMPT);
    world.tokenDraw = () => ({ afterMs: 990, resumption: { kind: "token", token: 35n } });
    world.pause(1, 0);
    const outcome = acquireIn(world, { ...REQUEST, tokenSource: SOURCE });
    world.at(10, () => {
      world.pause(1, 1100);
    });
    world.runUntil(1200);
    expect(outcome()).toMatchObject({ kind: "failed" });
    expect(sentKinds(world).slice(5)).toEqual(Array(5).fill("delete"));
  });
});
