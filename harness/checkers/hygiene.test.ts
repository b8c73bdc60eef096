import { describe, expect, test } from "vitest";
import {
  type At,
  applied,
  down,
  failedAcquire,
  healed,
  historyOf,
  hold,
  keyDeleted,
  keyFound,
  keySet,
  settled,
  up,
} from "../history/history.fixture.ts";
import type { HistoryHeader } from "../history/history.ts";
import { checkHygiene } from "./hygiene.ts";
import { RECONNECT_ALLOWANCE_MS } from "./reconnect-allowance.ts";

const verdictOf = (events: readonly At[], header: Partial<HistoryHeader> = {}) =>
  checkHygiene(historyOf([...events, ...settled(5000)], header));
const VALID = { kind: "valid" };
const told = (sentence: string) => ({ kind: "invalid", evidence: [{ sentence }] });

const RELEASED = hold("W1/1", { at: 5, deadline: 988, release: 100 });
const UNRELEASED = hold("W1/1", { at: 5, deadline: 988 });
const raisedBy = (atMs: number, claim: string | null): At => {
  const claimed = claim === null ? {} : { claimedValue: `v-${claim}` };
  return [
    atMs,
    { kind: "key-raised", node: "A", resource: "orders", value: "v-W1/1", ...claimed, expiresInMs: 1000 },
  ];
};

describe("checkHygiene", () => {
  test("where no key was seen nothing can be said", () => {
    expect(verdictOf([])).toEqual({ kind: "unknown", reason: "no key was ever seen on a node" });
  });

  test("a run that was cut short may have left anything", () => {
    expect(checkHygiene(historyOf(RELEASED))).toEqual({
      kind: "unknown",
      reason: "the run was cut short before anybody looked for keys that were left behind",
    });
  });

  test("deleting one's own value after the release was invoked is clean", () => {
    expect(verdictOf(RELEASED)).toEqual(VALID);
  });
});

describe("checkHygiene: touching keys", () => {
  test("S26: deleting somebody else's key, however it was compared", () => {
    expect(verdictOf([...UNRELEASED, keyDeleted(100, "A", "W1/1", { claim: "W2/1" })])).toMatchObject(
      told("the key of W1 (W1/1) on A was deleted at 100 in the name of value v-W2/1"),
    );
  });

  test("S31: extending somebody else's key", () => {
    expect(
      verdictOf([...UNRELEASED, ...hold("W2/1", { at: 10, nodes: "DE" }), raisedBy(100, "W2/1")]),
    ).toMatchObject(told("the key of W1 (W1/1) on A was extended at 100 in the name of W2 (W2/1)"));
    expect(verdictOf([...UNRELEASED, raisedBy(100, "W1/1")])).toEqual(VALID);
  });

  test("extending without comparing what somebody believes in: it could have been anybody's", () => {
    expect(verdictOf([...UNRELEASED, raisedBy(200, null)])).toMatchObject(
      told(
        "the key of W1 (W1/1) on A was extended at 200 by a command that compared nothing, which was believed until 988",
      ),
    );
    expect(verdictOf([...UNRELEASED, raisedBy(2000, null)])).toEqual(VALID);
  });

  test("S25: deleting without comparing what somebody still believes in", () => {
    expect(verdictOf([...UNRELEASED, keyDeleted(100, "A", "W1/1", { claim: null })])).toMatchObject(
      told(
        "the key of W1 (W1/1) on A was deleted at 100 by a command that compared nothing, which was believed until 988",
      ),
    );
    expect(verdictOf([...UNRELEASED, keyDeleted(990, "A", "W1/1", { claim: null })])).toEqual(VALID);
  });

  test("S58: deleting one's own value before the belief is over", () => {
    expect(verdictOf([...UNRELEASED, keyDeleted(350, "A", "W1/1")])).toMatchObject(
      told("the key of W1 (W1/1) on A was deleted at 350 in its own name, which was believed until 988"),
    );
  });

  test("a delete that is stamped a little before the release is no proof, unless stamps are exact", () => {
    const early = [...RELEASED, keyDeleted(98, "D", "W1/1"), keySet(3, "D", "W1/1")];

    expect(verdictOf(early, { nodeStampUncertaintyMs: 2 })).toEqual(VALID);
    expect(verdictOf(early, { nodeStampUncertaintyMs: 1 })).toMatchObject({ kind: "invalid" });
    expect(verdictOf(early)).toMatchObject({ kind: "invalid" });
  });

  test("a delete of an attempt's value, a flush and an eviction are no touches", () => {
    const flushed: At = [
      100,
      { kind: "key-deleted", node: "A", resource: "orders", value: "v-W1/1", cause: "flushed" },
    ];

    expect(verdictOf([...UNRELEASED, flushed, keySet(1, "E", "W2/x"), keyDeleted(50, "E", "W2/x")])).toEqual(
      VALID,
    );
  });

  test("S61: setting over a live key, but not over one that is about to expire", () => {
    const over = [...UNRELEASED, ...hold("W2/1", { at: 505, nodes: "CDE" })];
    const late = [...UNRELEASED, ...hold("W2/1", { at: 1002, nodes: "CDE" })];

    expect(verdictOf(over)).toMatchObject(
      told("the key of W1 (W1/1) on C was overwritten at 503 by one of W2 (W2/1)"),
    );
    expect(verdictOf(late, { nodeStampUncertaintyMs: 5 })).toEqual(VALID);
  });

  test("what was done is told in the order of time", () => {
    const events = [
      ...UNRELEASED,
      keySet(50, "A", "W2/1"),
      keyDeleted(30, "B", "W1/1"),
      keyDeleted(70, "C", "W1/1"),
    ];

    expect(verdictOf(events)).toMatchObject({ evidence: [{ fromMs: 30 }, { fromMs: 50 }, { fromMs: 70 }] });
  });
});

describe("checkHygiene: keys left behind", () => {
  test("a key of a released hold is a leak", () => {
    expect(verdictOf([...RELEASED, keyFound(5100, "D", "W1/1", 200)])).toMatchObject(
      told("D was left with a key of W1 (W1/1), ended at 100, with 200 ms left, on orders at 5100"),
    );
  });

  test("a key without expiry is always a leak", () => {
    const dead: At = [50, { kind: "worker-killed", worker: "W1" }];

    expect(verdictOf([...UNRELEASED, dead, keyFound(5100, "A", "W1/1", null)])).toMatchObject(
      told("A was left with a key of W1 (W1/1) without expiry, on orders at 5100"),
    );
  });

  test("a value that is believed in, a dead owner's, or one that nobody released is not", () => {
    const believed = hold("W1/1", { at: 4600, deadline: 5588 });
    const dead: At = [50, { kind: "worker-killed", worker: "W1" }];

    expect(verdictOf([...believed, keyFound(5100, "A", "W1/1", 500)])).toEqual(VALID);
    expect(verdictOf([...UNRELEASED, dead, keyFound(5100, "A", "W1/1", 500)])).toEqual(VALID);
    expect(verdictOf([...UNRELEASED, keyFound(990, "A", "W1/1", 12)])).toEqual(VALID);
  });

  test("S34: a node that was out of the owner's reach since the release keeps the key", () => {
    const found = keyFound(5100, "D", "W1/1", 200);

    expect(verdictOf([...RELEASED, applied(90, "cut", "D", ["W1"]), healed(400, "cut"), found])).toEqual(
      VALID,
    );
    expect(verdictOf([...RELEASED, down(50, "D"), up(150, "D"), found])).toEqual(VALID);
    expect(verdictOf([...RELEASED, applied(90, "cut", "D", ["W2"]), found])).toMatchObject({
      kind: "invalid",
    });
    expect(verdictOf([...RELEASED, applied(90, "cut", "E", ["W1"]), found])).toMatchObject({
      kind: "invalid",
    });
  });

  test("an outage that was over before the release excuses as long as connecting anew may take", () => {
    const cutUntil = (atMs: number) => [
      ...hold("W1/1", { at: 2005, release: 2100 }),
      applied(90, "cut", "D", ["W1"]),
      healed(atMs, "cut"),
      keyFound(5100, "D", "W1/1", 200),
    ];

    expect(verdictOf(cutUntil(2100 - RECONNECT_ALLOWANCE_MS))).toEqual(VALID);
    expect(verdictOf(cutUntil(2099 - RECONNECT_ALLOWANCE_MS))).toMatchObject({ kind: "invalid" });
  });
});

describe("checkHygiene: keys of failed attempts left behind", () => {
  const tried = failedAcquire("W2#1", { at: 4000, returned: 4050 });
  const key = keySet(4002, "D", "W2/x");
  const found = keyFound(5100, "D", "W2/x", 200);

  test("a value that no hold has is a leak", () => {
    expect(verdictOf([...tried, key, found])).toMatchObject(
      told("D was left with a key of value v-W2/x, which no hold has, with 200 ms left, on orders at 5100"),
    );
    expect(verdictOf([keySet(1, "A", "W1/x"), found])).toMatchObject({ kind: "invalid" });
  });

  test("unless its owner died, is still trying, or was cut off from the node", () => {
    const dead: At = [4010, { kind: "worker-killed", worker: "W2" }];
    const open = failedAcquire("W2#2", { at: 4000, returned: null });

    expect(verdictOf([...tried, key, found, dead])).toEqual(VALID);
    expect(verdictOf([...open, key, found])).toEqual(VALID);
    expect(verdictOf([...tried, key, found, applied(4001, "cut", "D", ["W2"])])).toEqual(VALID);
  });

  test("a key that was deleted and set again is excused by what came after that only", () => {
    const cut = [applied(4001, "cut", "D", ["W2"]), healed(4100, "cut")];
    const again = [keyDeleted(4200, "D", "W2/x"), keySet(4400, "D", "W2/x")];

    expect(verdictOf([...tried, key, ...cut, found])).toEqual(VALID);
    expect(verdictOf([...tried, key, ...cut, ...again, found])).toMatchObject({ kind: "invalid" });
  });

  test("which somebody else's trouble does not excuse", () => {
    const other = failedAcquire("W3#1", { at: 4000, returned: null, resource: "stock" });
    const later = failedAcquire("W3#2", { at: 4900, returned: null });

    expect(verdictOf([...tried, ...other, ...later, key, found])).toMatchObject({ kind: "invalid" });
  });
});
