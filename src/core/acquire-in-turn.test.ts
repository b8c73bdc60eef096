import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { acquireInTurn, type GrantInTurn, type OutcomeInTurn } from "./acquire-in-turn.ts";
import { Callers, TTL_MS } from "./callers.fixture.ts";
import { rulesOf } from "./rules.fixture.ts";
import { CUT, PROMPT } from "./virtual-world.fixture.ts";
import { Waiters } from "./waiters.ts";

describe("acquireInTurn", () => {
  test("callers of one process are granted in the order in which they called", () => {
    const callers = new Callers();
    callers.releaseAfter(10);
    for (let caller = 1; caller <= 20; caller++) callers.acquire(caller, { waitMs: 5000 });
    callers.world.runUntil(3000);
    expect(callers.granted).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(callers.waiters.size).toBe(0);
  });

  test("only the first asks the nodes, and each attempt is won", () => {
    const callers = new Callers();
    callers.releaseAfter(10);
    for (let caller = 1; caller <= 20; caller++) callers.acquire(caller, { waitMs: 5000 });
    callers.world.runUntil(3000);
    expect(callers.acquiresSent()).toBe(20);
  });

  test("who may not wait is refused by who holds the lock in the same process, and no node is asked", () => {
    const callers = new Callers();
    callers.acquire(1);
    callers.acquire(2, { atMs: 10 });
    callers.world.runUntil(10);
    expect(callers.outcomeOf(2)).toBe("contended");
    expect(callers.outcomes.get(2)?.round.votes).toEqual([]);
    expect(callers.acquiresSent()).toBe(1);
  });

  test("who may not wait hears an attempt that is under way out, and fails as it does", () => {
    const callers = new Callers(({ nodeIndex }) => (nodeIndex < 3 ? CUT : PROMPT));
    for (let caller = 1; caller <= 9; caller++) callers.acquire(caller, { atMs: caller });
    callers.world.runUntil(100);
    expect([1, 2, 9].map((caller) => callers.outcomeOf(caller))).toEqual([
      "unavailable",
      "unavailable",
      "unavailable",
    ]);
    expect(callers.outcomes.get(9)?.atMs).toBeLessThan(60);
    expect(callers.outcomes.get(9)?.round.votes).toHaveLength(5);
    expect(callers.acquiresSent()).toBe(1);
    expect(callers.waiters.size).toBe(0);
  });

  test("who may not wait is contended once the attempt before it has won", () => {
    const callers = new Callers();
    callers.acquire(1);
    callers.acquire(2);
    callers.world.runUntil(10);
    expect(callers.outcomes.get(2)).toMatchObject({ code: "contended", atMs: 4 });
  });

  test("in line the wait limit ends with the last failure of the first in it", () => {
    const callers = new Callers(() => CUT);
    callers.acquire(1, { waitMs: 5000 });
    callers.acquire(2, { waitMs: 300 });
    callers.world.runUntil(400);
    expect(callers.outcomes.get(2)).toMatchObject({ code: "unavailable", atMs: 300 });
  });

  test("the wait limit counts from the call, also when the turn comes late", () => {
    const callers = new Callers();
    callers.world.nodes.forEach((keys) => keys.set("orders", { value: "other", expiresAtMs: 10_000 }));
    callers.acquire(1, { waitMs: 300 });
    callers.acquire(2, { waitMs: 500 });
    callers.world.runUntil(2000);
    expect(callers.outcomes.get(1)?.atMs).toBeLessThan(310);
    expect(callers.outcomes.get(2)?.atMs).toBeLessThan(510);
    expect(callers.outcomes.get(2)?.atMs).toBeGreaterThan(490);
  });

  test("a holder that never lets go is waited for until its deadline and no longer", () => {
    const callers = new Callers();
    callers.acquire(1);
    callers.acquire(2, { waitMs: 5000 });
    callers.world.runUntil(3000);
    // The keys live for 12 ms more than the belief does.
    expect(callers.outcomes.get(2)?.atMs).toBeLessThan(TTL_MS + 100);
  });

  test("whoever moves up behind a holder watches its deadline too", () => {
    const callers = new Callers();
    callers.acquire(1);
    callers.acquire(2, { waitMs: 500 });
    callers.acquire(3, { waitMs: 5000 });
    callers.world.runUntil(3000);
    expect(callers.outcomes.get(3)?.atMs).toBeLessThan(TTL_MS + 100);
  });

  test("a holder that extends its lock is waited for until the new deadline", () => {
    const callers = new Callers();
    callers.onGrant = (caller, { belief }) => {
      if (caller === 1) callers.world.at(500, () => belief.raise(1488, 500));
    };
    callers.acquire(1);
    callers.acquire(2, { waitMs: 1200 });
    callers.world.runUntil(3000);
    expect(callers.outcomes.get(2)).toMatchObject({ code: "contended", atMs: 1200 });
  });

  test("another process does not stand in these lines", () => {
    const callers = new Callers();
    callers.acquire(1);
    let outcome: OutcomeInTurn | undefined;
    const elsewhere = acquireInTurn(
      { resource: "orders", ttlMs: TTL_MS, waitMs: 0 },
      rulesOf(),
      new Waiters(),
    );
    callers.world.at(5, () => {
      callers.world.start(2, elsewhere, (result) => {
        outcome = result;
      });
    });
    callers.world.runUntil(10);
    expect(callers.granted).toEqual([1]);
    expect(outcome).toMatchObject({ code: "contended", attemptCount: 1 });
  });

  property.prop([
    fc.array(
      fc.record({
        atMs: fc.nat({ max: 400 }),
        waitMs: fc.oneof(fc.constant(0), fc.nat({ max: 3000 })),
        holdMs: fc.nat({ max: 1200 }),
        resource: fc.constantFrom("orders", "invoices"),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    fc.array(fc.constantFrom(PROMPT, PROMPT, PROMPT, CUT, { requestMs: 30, replyMs: 5 }), { minLength: 1 }),
  ])(
    "never two holders, nobody is overtaken, every call ends in time, and no place is left",
    (calls, fates) => {
      const callers = new Callers((_sent, count) => fates[count % fates.length] ?? PROMPT);
      const plans = calls.toSorted((left, right) => left.atMs - right.atMs);
      const believing = new Map<string, GrantInTurn>();
      callers.onGrant = (caller, grant) => {
        const { resource, holdMs } = plans[caller]!;
        expect(believing.get(resource)?.belief.isOver(callers.world.nowMs) ?? true).toBe(true);
        believing.set(resource, grant);
        callers.world.at(callers.world.nowMs + holdMs, () => callers.release(grant));
      };
      for (const [caller, { waitMs, resource, atMs }] of plans.entries()) {
        callers.acquire(caller, { waitMs, resource, atMs });
      }
      callers.world.runUntil(60_000);

      for (const resource of ["orders", "invoices"]) {
        const granted = callers.granted.filter((caller) => plans[caller]!.resource === resource);
        expect(granted).toEqual(granted.toSorted((left, right) => left - right));
      }
      for (const [caller, { atMs, waitMs }] of plans.entries()) {
        expect(callers.outcomes.get(caller)!.atMs - atMs).toBeLessThanOrEqual(
          waitMs + 2 * rulesOf().nodeTimeoutMs + 1,
        );
      }
      expect(callers.waiters.size).toBe(0);
    },
  );
});
