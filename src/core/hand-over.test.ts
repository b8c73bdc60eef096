import { describe, expect, test } from "vitest";
import { acquireInTurn, type GrantInTurn } from "./acquire-in-turn.ts";
import { Callers, TTL_MS } from "./callers.fixture.ts";
import { rulesOf } from "./rules.fixture.ts";
import { CUT, type Fate, PROMPT, type Sent } from "./virtual-world.fixture.ts";
import { Waiters } from "./waiters.ts";

const RELEASED_AT_MS = 104;

/** Caller 1 lets go 100 ms after its grant, and caller 2 waits for it; `fateOf` rules what is sent from then on. */
function handingOver(fateOf: (sent: Sent) => Fate = () => PROMPT) {
  const callers = new Callers((sent) => (sent.atMs < RELEASED_AT_MS ? PROMPT : fateOf(sent)));
  const grants: GrantInTurn[] = [];
  callers.onGrant = (caller, grant) => {
    grants.push(grant);
    if (caller === 1) callers.world.at(RELEASED_AT_MS, () => callers.release(grant));
  };
  callers.acquire(1);
  callers.acquire(2, { waitMs: 5000, atMs: 10 });
  const liveOn = (index: number): readonly boolean[] =>
    callers.world.nodes.map((_keys, nodeIndex) =>
      callers.world.isLive(nodeIndex, "orders", grants[index]?.belief.value ?? "none"),
    );
  return { callers, grants, liveOn };
}

describe("releaseInTurn", () => {
  test("the next one swaps the value in one round, and nothing is deleted", () => {
    const { callers, grants, liveOn } = handingOver();
    callers.world.runUntil(500);
    expect(callers.outcomes.get(2)?.atMs).toBe(RELEASED_AT_MS + 4);
    expect(callers.world.sent.map(({ command }) => command.kind)).not.toContain("delete");
    expect(callers.releases.map(({ kind }) => kind)).toEqual(["released"]);
    expect(grants[1]?.belief.value).not.toBe(grants[0]?.belief.value);
    expect(grants[1]?.belief.deadlineMs).toBe(RELEASED_AT_MS + 988);
    expect(liveOn(1)).toEqual([true, true, true, true, true]);
  });

  test("the old hold is over before the first swap leaves (S64)", () => {
    const { callers, grants } = handingOver();
    const wasOver: boolean[] = [];
    callers.world.onSend = ({ atMs }) => {
      if (atMs >= RELEASED_AT_MS) wasOver.push(grants[0]?.belief.isOver(atMs) ?? false);
    };
    callers.world.runUntil(500);
    expect(wasOver).toEqual([true, true, true, true, true]);
  });

  test("a swap without a quorum is a lost attempt: both values are taken back, and it is tried again", () => {
    const { callers, liveOn } = handingOver(({ nodeIndex, atMs }) =>
      nodeIndex > 0 && atMs < RELEASED_AT_MS + 40 ? CUT : PROMPT,
    );
    callers.world.runUntil(RELEASED_AT_MS + 56);
    expect(callers.releases.map(({ kind }) => kind)).toEqual(["unconfirmed"]);
    expect(liveOn(0)).toEqual([false, false, false, false, false]);
    callers.world.runUntil(RELEASED_AT_MS + 300);
    expect(callers.outcomeOf(2)).toBe("granted");
  });

  test("where the swap did not come through the old value is deleted", () => {
    const { callers, liveOn } = handingOver(({ nodeIndex, command }) =>
      nodeIndex === 4 && command.kind === "acquire" ? CUT : PROMPT,
    );
    callers.world.runUntil(RELEASED_AT_MS + 100);
    expect(callers.outcomeOf(2)).toBe("granted");
    expect(liveOn(0)).toEqual([false, false, false, false, false]);
    expect(liveOn(1)).toEqual([true, true, true, true, false]);
  });

  test("a node on which somebody else has the resource meanwhile keeps theirs", () => {
    const { callers } = handingOver();
    callers.world.at(50, () => {
      callers.world.nodes[0]?.set("orders", { value: "other", expiresAtMs: 9000 });
    });
    callers.world.runUntil(500);
    expect(callers.outcomeOf(2)).toBe("granted");
    expect(callers.world.isLive(0, "orders", "other")).toBe(true);
  });

  test("a lock that is over is not handed over", () => {
    const callers = new Callers();
    callers.onGrant = (caller, grant) => {
      if (caller === 1) callers.world.at(TTL_MS - 12, () => callers.release(grant));
    };
    callers.acquire(1);
    callers.acquire(2, { waitMs: 5000 });
    callers.world.runUntil(TTL_MS + 200);
    expect(callers.releases.map(({ kind }) => kind)).toEqual(["expired"]);
    expect(callers.outcomeOf(2)).toBe("granted");
  });

  test("after eight in a row the resource is let go, and another process has its turn", () => {
    const callers = new Callers();
    callers.releaseAfter(10);
    for (let caller = 1; caller <= 40; caller++) callers.acquire(caller, { waitMs: 5000 });
    const rules = rulesOf({ backoff: { baseMs: 5, capMs: 5 } });
    let grantedAfter: number | undefined;
    callers.world.at(20, () => {
      const request = { resource: "orders", ttlMs: TTL_MS, waitMs: 5000 };
      callers.world.start(2, acquireInTurn(request, rules, new Waiters()), ({ kind }) => {
        if (kind === "granted") grantedAfter = callers.granted.length;
      });
    });
    callers.world.runUntil(4000);
    expect(grantedAfter).toBe(9);
    expect(callers.waiters.size).toBeLessThan(40);
  });

  test("swaps cost one round for each grant", () => {
    const callers = new Callers();
    callers.releaseAfter(5);
    for (let caller = 1; caller <= 32; caller++) callers.acquire(caller, { waitMs: 5000 });
    callers.world.runUntil(2000);
    expect(callers.granted).toHaveLength(32);
    expect(callers.world.sent.length / 32).toBeLessThan(6);
  });
});
