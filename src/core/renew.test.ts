import { describe, expect, test } from "vitest";
import { acquire } from "./acquire.ts";
import type { Belief } from "./belief.ts";
import { extend, type ExtendOutcome } from "./extend.ts";
import { renew, type Renewal, type RenewalEnd } from "./renew.ts";
import { rulesOf } from "./rules.fixture.ts";
import { CUT, type FateOf, PROMPT, VirtualWorld } from "./virtual-world.fixture.ts";

const TTL_MS = 1000;

interface Renewing {
  readonly world: VirtualWorld;
  readonly belief: Belief;
  readonly end: () => RenewalEnd | undefined;
  /** When each extension was sent to the first node. */
  readonly extendedAtMs: () => readonly number[];
}

/** W1 holds the resource since 0 with a deadline of 988 and renews it; `fateOf` rules all that comes later. */
function renewing(change: Partial<Renewal> = {}, fateOf: FateOf = () => PROMPT): Renewing {
  const world = new VirtualWorld({
    nodeCount: 5,
    fateOf: (sent, count) => (count < 5 ? PROMPT : fateOf(sent, count)),
  });
  let belief: Belief | undefined;
  let end: RenewalEnd | undefined;
  world.start(1, acquire({ resource: "orders", ttlMs: TTL_MS, waitMs: 0 }, rulesOf()), (outcome) => {
    if (outcome.kind !== "granted") return;
    const held = outcome.belief;
    belief = held;
    const once = () => extend(held, TTL_MS, rulesOf());
    world.start(1, renew(held, { ttlMs: TTL_MS, ...change }, once), (result) => {
      end = result;
    });
  });
  world.runUntil(10);
  if (belief === undefined) throw new Error("the lock was not granted");
  const extendedAtMs = () =>
    world.sent
      .filter(({ command, nodeIndex }) => command.kind === "extend" && nodeIndex === 0)
      .map(({ atMs }) => atMs);
  return { world, belief, end: () => end, extendedAtMs };
}

describe("renew", () => {
  test("extends when a third of the lifetime is over, again and again, to the millisecond (peers 55, E8)", () => {
    const { world, belief, end, extendedAtMs } = renewing();
    world.runUntil(1100);
    expect(extendedAtMs().map(Math.round)).toEqual([321, 643, 964]);
    expect(belief.deadlineMs).toBeGreaterThan(1900);
    expect(end()).toBeUndefined();
  });

  test("ends with the limit: the lock runs out, and nothing is sent any more (S32, peers 48)", () => {
    const { world, belief, end, extendedAtMs } = renewing({ maxHoldMs: 700 });
    world.runUntil(10_000);
    expect(end()).toBe("limit");
    expect(extendedAtMs()).toHaveLength(2);
    expect(belief.deadlineMs).toBeLessThan(700 + TTL_MS);
    expect(belief.isOver(world.nowMs)).toBe(true);
  });

  test("a holder that has let go is not extended any more (S33, peers 52)", () => {
    const { world, belief, end, extendedAtMs } = renewing();
    world.runUntil(100);
    belief.end("released");
    world.runUntil(10_000);
    expect(end()).toBe("over");
    expect(extendedAtMs()).toEqual([]);
  });

  test("ends when the lock is lost", () => {
    const { world, belief, end } = renewing();
    for (const keys of world.nodes) keys.clear();
    world.runUntil(10_000);
    expect(end()).toBe("over");
    expect(belief.ending).toBe("lost");
  });

  test("an outage is sat out: the next extension counts from where the last one came through", () => {
    const { world, belief, end } = renewing({}, ({ atMs }) => (atMs < 600 ? CUT : PROMPT));
    world.runUntil(1500);
    expect(end()).toBeUndefined();
    expect(belief.isOver(world.nowMs)).toBe(false);
  });

  test("an outage beyond the deadline ends it at the deadline", () => {
    const { world, end } = renewing({}, () => CUT);
    world.runUntil(1000);
    expect(end()).toBe("over");
  });

  test("asks for nothing when the belief is over by the time it wakes", () => {
    const { belief } = renewing();
    let count = 0;
    const procedure = renew(belief, { ttlMs: TTL_MS }, function* () {
      count += 1;
      throw new Error("nobody may be asked");
    });
    procedure.next({ kind: "done" });
    expect(procedure.next({ kind: "time", nowMs: 20 }).value).toMatchObject({ kind: "sleep" });
    belief.end("released");
    procedure.next({ kind: "done" });

    expect(procedure.next({ kind: "time", nowMs: 330 })).toEqual({ done: true, value: "over" });
    expect(count).toBe(0);
  });

  test("a lifetime that is nearly all drift allowance is not renewed without a pause (peers E8)", () => {
    const { world, extendedAtMs } = renewing({ ttlMs: 10_000 });
    world.runUntil(900);
    // Each extension asks for 1000 again, of which two thirds of 10,000 are always over already.
    expect(extendedAtMs().length).toBeLessThan(7);
  });

  test("has an end even where every extension is granted at once", () => {
    const { belief } = renewing();
    const extended: ExtendOutcome = { kind: "extended", round: {} as never };
    let count = 0;
    const procedure = renew(belief, { ttlMs: TTL_MS }, function* () {
      count += 1;
      return extended;
    });
    let step = procedure.next({ kind: "done" });
    while (step.done !== true) {
      step = procedure.next(step.value.kind === "now" ? { kind: "time", nowMs: 20 } : { kind: "done" });
    }
    expect(step.value).toBe("limit");
    expect(count).toBe(1_000_000);
  });
});
