import { describe, expect, test } from "vitest";
import { acquire, type Grant } from "./acquire.ts";
import { extend, type ExtendOutcome } from "./extend.ts";
import { release } from "./release.ts";
import { rulesOf } from "./rules.fixture.ts";
import { BROKEN, CUT, type Fate, PROMPT, type Sent, VirtualWorld } from "./virtual-world.fixture.ts";

const REQUEST = { resource: "orders", ttlMs: 1000, waitMs: 0 };
const HELD_AT_MS = 60;

/** W1 holds A, B and C since 0; the acquire never came to D and E. `fateOf` rules all that comes later. */
function holding(fateOf: (sent: Sent) => Fate = () => PROMPT) {
  const world = new VirtualWorld({
    nodeCount: 5,
    fateOf: (sent) => {
      if (sent.atMs < HELD_AT_MS) return sent.nodeIndex < 3 ? PROMPT : CUT;
      return fateOf(sent);
    },
  });
  let grant: Grant | undefined;
  world.start(1, acquire(REQUEST, rulesOf()), (outcome) => {
    if (outcome.kind === "granted") grant = outcome;
  });
  world.runUntil(HELD_AT_MS);
  if (grant === undefined) throw new Error("the lock was not granted");
  const { belief, round: acquired } = grant;
  let extended: ExtendOutcome | undefined;
  const extendAt = (atMs: number, ttlMs = 1000): void => {
    world.runUntil(atMs);
    world.start(1, extend(belief, ttlMs, rulesOf()), (outcome) => {
      extended = outcome;
    });
  };
  const releaseAt = (atMs: number): void => {
    world.runUntil(atMs);
    world.start(1, release({ belief, acquired, longestTtlMs: 1000 }, rulesOf()), () => undefined);
  };
  const liveOn = (): readonly number[] =>
    world.nodes.map((_keys, index) => (world.isLive(index, "orders", belief.value) ? 1 : 0));
  const reseeds = (): readonly Sent[] =>
    world.sent.filter(({ command, atMs }) => command.kind === "acquire" && atMs >= HELD_AT_MS);
  return { world, belief, extendAt, releaseAt, liveOn, reseeds, extended: () => extended };
}

describe("re-seeding", () => {
  test("peers 45, N10: nodes that a confirmed extension found missing get the value back, until the deadline", () => {
    const { world, belief, extendAt, liveOn } = holding();
    extendAt(500);
    world.runUntil(600);
    expect(liveOn()).toEqual([1, 1, 1, 1, 1]);
    expect(belief.deadlineMs).toBe(1488);
    world.runUntil(belief.deadlineMs);
    expect(liveOn()).toEqual([1, 1, 1, 1, 1]);
    world.runUntil(1520);
    expect(liveOn()).toEqual([0, 0, 0, 0, 0]);
  });

  test("peers 43, 44: a key that was brought back is no vote", () => {
    const { world, extendAt, extended, reseeds } = holding();
    world.nodes[2]?.delete("orders");
    extendAt(500);
    world.runUntil(600);
    expect(extended()).toMatchObject({ kind: "over", ending: "lost" });
    expect(reseeds()).toEqual([]);
  });

  test("an extension that was not confirmed brings nothing back", () => {
    const { world, extendAt, reseeds } = holding(({ nodeIndex }) => (nodeIndex < 2 ? CUT : PROMPT));
    extendAt(500);
    world.runUntil(900);
    expect(reseeds()).toEqual([]);
  });

  test("a node that says `missing` after the quorum is re-seeded too", () => {
    const { world, extendAt, liveOn, extended } = holding(({ nodeIndex }) =>
      nodeIndex === 4 ? { requestMs: 20, replyMs: 2 } : PROMPT,
    );
    extendAt(500);
    world.runUntil(510);
    expect(extended()?.kind).toBe("extended");
    expect(liveOn()).toEqual([1, 1, 1, 1, 0]);
    world.runUntil(560);
    expect(liveOn()).toEqual([1, 1, 1, 1, 1]);
  });

  test("what somebody else has taken meanwhile is left to them (S61)", () => {
    const { world, extendAt } = holding(({ command }) =>
      command.kind === "acquire" ? { requestMs: 30, replyMs: 2 } : PROMPT,
    );
    extendAt(500);
    world.runUntil(510);
    world.nodes[4]?.set("orders", { value: "other", expiresAtMs: 9000 });
    world.runUntil(900);
    expect(world.nodes[4]?.get("orders")).toEqual({ value: "other", expiresAtMs: 9000 });
  });

  test.each([
    ["release", (held: ReturnType<typeof holding>) => held.releaseAt(510)],
    ["loss", ({ belief }: ReturnType<typeof holding>) => belief.end("lost")],
    ["deadline", ({ world }: ReturnType<typeof holding>) => world.pause(1, 1600)],
  ])("never after the %s", (_ending, end) => {
    const held = holding(({ nodeIndex }) => (nodeIndex >= 3 ? { requestMs: 20, replyMs: 2 } : PROMPT));
    held.extendAt(500);
    held.world.runUntil(510);
    end(held);
    held.world.runUntil(2000);
    expect(held.reseeds()).toEqual([]);
  });

  test("a release deletes it where it was sent, behind it", () => {
    const { world, extendAt, releaseAt } = holding(({ command }) =>
      command.kind === "acquire" ? { requestMs: 200, replyMs: 2 } : PROMPT,
    );
    extendAt(500);
    releaseAt(510);
    world.runUntil(900);
    expect(world.nodes.map((keys) => keys.size)).toEqual([0, 0, 0, 0, 0]);
    expect(world.orphanCount).toBe(0);
  });

  test("a release ends the connection that broke under it before it deletes", () => {
    const { world, extendAt, releaseAt } = holding(({ command }) =>
      command.kind === "acquire" ? { ...BROKEN, runsAfterMs: 1000 } : PROMPT,
    );
    world.endsConnections = true;
    extendAt(500);
    releaseAt(600);
    world.runUntil(3000);
    const sentToE = world.sent.filter(({ nodeIndex, atMs }) => nodeIndex === 4 && atMs >= 600);
    expect(sentToE.map(({ command }) => command.kind)).toEqual(["delete", "end-connection", "delete"]);
    expect(world.nodes.map((keys) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("one that was not answered yet is not sent again", () => {
    const { extendAt, world, reseeds } = holding(({ command }) =>
      command.kind === "acquire" ? CUT : PROMPT,
    );
    extendAt(500);
    extendAt(700);
    extendAt(900);
    world.runUntil(1000);
    expect(reseeds().map(({ nodeIndex }) => nodeIndex)).toEqual([3, 4]);
  });
});
