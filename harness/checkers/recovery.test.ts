import { describe, expect, test } from "vitest";
import {
  type At,
  applied,
  down,
  failedAcquire,
  healed,
  historyOf,
  hold,
  keySet,
  settled,
  up,
} from "../history/history.fixture.ts";
import type { HistoryHeader } from "../history/history.ts";
import { checkRecovery } from "./recovery.ts";

const VALID = { kind: "valid" };
const UNTRIED = {
  kind: "unknown",
  reason: "nobody who could have succeeded tried to acquire after the trouble was over",
};

const verdictOf = (events: readonly At[], header: Partial<HistoryHeader> = {}) =>
  checkRecovery(historyOf([...events, ...settled(8000)], header));
const killedAt = (atMs: number, worker = "W1"): At => [atMs, { kind: "worker-killed", worker }];

/** Waits from before the trouble was over until long after it, in vain. */
const WAITS_IN_VAIN = failedAcquire("W2#1", { at: 20, returned: 7000, waitMs: 6900 });

describe("checkRecovery", () => {
  test("without trouble there is nothing to recover from", () => {
    expect(verdictOf([])).toEqual(VALID);
    expect(verdictOf([...hold("W1/1", { at: 5, release: 100 }), ...WAITS_IN_VAIN])).toEqual(VALID);
  });

  test("S19: a minority that is down is no trouble", () => {
    expect(verdictOf([down(0, "D"), down(0, "E"), up(100, "D"), ...WAITS_IN_VAIN])).toEqual(VALID);
  });

  test("a history that goes on without a story's end is judged as far as it goes", () => {
    expect(checkRecovery(historyOf([killedAt(5), [10, { kind: "run-ended" }]]))).toEqual(VALID);
  });
});

describe("checkRecovery: after the death of a holder", () => {
  const dead = [...hold("W1/1", { at: 5, deadline: 988 }), killedAt(10)];

  test("S53: the next one gets it when the keys have gone", () => {
    expect(verdictOf([...dead, ...hold("W2/1", { at: 1050, release: 1100 })])).toEqual(VALID);
  });

  test("a grant that comes too late for somebody who waited", () => {
    // Keys set at 3 are gone at 1003; 100 for a pause between attempts and 50 for a round follow.
    expect(verdictOf([...dead, ...WAITS_IN_VAIN])).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence:
            "the deadline of W1, which had died holding it, at 988, and nothing stood in the way from 1003 on, but " +
            "nobody had acquired orders by 1153 although W2 tried",
          fromMs: 988,
          toMs: 1153,
        },
      ],
    });
    expect(verdictOf([...dead, ...WAITS_IN_VAIN, ...hold("W3/1", { at: 2000 })])).toMatchObject({
      kind: "invalid",
    });
  });

  test("the bound grows with the uncertainty of stamps and the scheduling grace", () => {
    const late = [...dead, ...WAITS_IN_VAIN, ...hold("W3/1", { at: 1160 })];

    expect(verdictOf(late)).toMatchObject({ kind: "invalid" });
    expect(verdictOf(late, { schedulingGraceMs: 7 })).toEqual(VALID);
    expect(verdictOf(late, { nodeStampUncertaintyMs: 7 })).toEqual(VALID);
  });

  test("where nobody recorded keys, they may have lived for a whole TTL", () => {
    const unwatched = dead.filter(([, { kind }]) => kind !== "key-set");
    const next = (at: number) => hold("W2/1", { at }).filter(([, { kind }]) => kind !== "key-set");

    expect(verdictOf([...unwatched, ...WAITS_IN_VAIN, ...next(2100)])).toEqual(VALID);
    expect(verdictOf([...unwatched, ...WAITS_IN_VAIN, ...next(2200)])).toMatchObject({ kind: "invalid" });
  });

  test("keys that are never let go do not stretch the bound", () => {
    const stuck = [...dead, keySet(4, "D", "W1/1", { ttlMs: null }), ...WAITS_IN_VAIN];

    expect(verdictOf(stuck)).toMatchObject({ evidence: [{ toMs: 988 + 1000 + 150 }] });
  });

  test("nobody tried, or only too early: nothing can be said", () => {
    expect(verdictOf(dead)).toEqual(UNTRIED);
    expect(verdictOf([...dead, ...failedAcquire("W2#1", { at: 900, returned: 1010 })])).toEqual(UNTRIED);
    expect(
      verdictOf([...dead, ...failedAcquire("W2#1", { at: 20, returned: 7000, resource: "stock" })]),
    ).toEqual(UNTRIED);
  });

  test("the story was over before the bound: nothing can be said", () => {
    const cut: readonly At[] = [...dead, ...WAITS_IN_VAIN, [1100, { kind: "story-ended", cause: "limit" }]];

    expect(checkRecovery(historyOf(cut))).toEqual(UNTRIED);
  });

  test("what ends after the story had ended is no trouble of the story", () => {
    const cut: readonly At[] = [...dead, [500, { kind: "story-ended", cause: "done" }]];

    expect(checkRecovery(historyOf(cut))).toEqual(VALID);
  });

  test("somebody who is still waiting at the end of the run has tried", () => {
    expect(verdictOf([...dead, ...failedAcquire("W2#1", { at: 20, returned: null })])).toMatchObject({
      kind: "invalid",
    });
  });

  test("each worker that tries gets a round, because rounds may split", () => {
    const both = [...dead, ...WAITS_IN_VAIN, ...failedAcquire("W3#1", { at: 30, returned: null })];

    expect(verdictOf([...both, ...hold("W3/1", { at: 1300 })])).toEqual(VALID);
    expect(verdictOf([...both, ...hold("W3/1", { at: 1304 })])).toMatchObject({ kind: "invalid" });
  });

  test("one try that failed when nothing stood in the way", () => {
    expect(verdictOf([...dead, ...failedAcquire("W2#1", { at: 1020, returned: 1040 })])).toMatchObject({
      kind: "invalid",
    });
  });

  test("two that refuse each other prove nothing", () => {
    const split = [
      ...failedAcquire("W2#1", { at: 1020, returned: 1040 }),
      ...failedAcquire("W3#1", { at: 1030, returned: 1050 }),
    ];

    expect(verdictOf([...dead, ...split])).toEqual(UNTRIED);
  });

  test("somebody who was stopped, killed or cut off meanwhile did not really try", () => {
    const paused: At = [1010, { kind: "worker-paused", worker: "W2" }];

    expect(verdictOf([...dead, ...WAITS_IN_VAIN, paused])).toEqual(UNTRIED);
    expect(verdictOf([...dead, ...WAITS_IN_VAIN, killedAt(1010, "W2")])).toEqual(UNTRIED);
    expect(verdictOf([...dead, ...WAITS_IN_VAIN, applied(900, "cut", "ABC", ["W2"])])).toEqual(UNTRIED);
    expect(verdictOf([...dead, ...WAITS_IN_VAIN, applied(900, "cut", "AB", ["W2"])])).toMatchObject({
      kind: "invalid",
    });
  });

  test("a key that a rival cannot delete stands in the way; where its link is whole, somebody is to blame", () => {
    const ghost = keySet(1050, "A", "W3/1");
    const brokenLinkTo = (node: string) => [applied(1040, "lossy", node, ["W3"]), healed(1200, "lossy")];

    expect(verdictOf([...dead, ghost, ...WAITS_IN_VAIN])).toMatchObject({ kind: "invalid" });
    expect(verdictOf([...dead, ghost, ...brokenLinkTo("B"), ...WAITS_IN_VAIN])).toMatchObject({
      kind: "invalid",
    });
    expect(verdictOf([...dead, ghost, ...brokenLinkTo("A"), ...WAITS_IN_VAIN])).toEqual(UNTRIED);
  });

  test("a longer TTL than that of the header stretches the bound", () => {
    const longer = [
      ...hold("W1/1", { at: 5, deadline: 2000, ttlMs: 3000 }),
      killedAt(10),
      ...WAITS_IN_VAIN,
      ...hold("W3/1", { at: 3150 }),
    ];

    expect(verdictOf(longer)).toEqual(VALID);
  });
});

describe("checkRecovery: after a time without a quorum", () => {
  const outage = ["A", "B", "C"].flatMap((node) => [down(0, node), up(2000, node)]);

  test("S20: the first grant after the heal comes in time", () => {
    expect(verdictOf([...outage, ...hold("W2/1", { at: 2300, release: 2400 })])).toEqual(VALID);
  });

  test("a grant that comes after the reconnects, a pause and a round is late", () => {
    const late = [...outage, ...WAITS_IN_VAIN, ...hold("W3/1", { at: 2656 })];

    expect(verdictOf(late)).toMatchObject({
      evidence: [
        {
          sentence:
            "a quorum was in reach again at 2000, and nothing stood in the way from 2200 on, but nobody had acquired " +
            "orders by 2350 although W2 tried",
        },
      ],
    });
  });

  test("links count as nodes do, but only where nobody had a quorum", () => {
    const all = ["W1", "W2", "W3"];

    expect(verdictOf([applied(0, "cut", "ABC", all), healed(2000, "cut"), ...WAITS_IN_VAIN])).toMatchObject({
      kind: "invalid",
    });
    expect(
      verdictOf([applied(0, "cut", "ABC", ["W1", "W2"]), healed(2000, "cut"), ...WAITS_IN_VAIN]),
    ).toEqual(VALID);
  });

  test("an outage without an end, or with nobody left alive, is nothing to recover from", () => {
    expect(verdictOf([...["A", "B", "C"].map((node) => down(0, node)), ...WAITS_IN_VAIN])).toEqual(VALID);
    expect(verdictOf([...outage, ...["W1", "W2", "W3"].map((worker) => killedAt(5, worker))])).toEqual(VALID);
  });

  test("a lock that somebody holds across it has to be let go first", () => {
    const held = hold("W1/1", { at: 1995, release: 2200 });
    const waits = failedAcquire("W2#1", { at: 20, returned: 7000, waitMs: 6900 });
    const brief = ["A", "B", "C"].flatMap((node) => [down(1998, node), up(2000, node)]);

    expect(verdictOf([...brief, ...held])).toEqual(VALID);
    expect(verdictOf([...brief, ...held, ...waits])).toMatchObject({ evidence: [{ toMs: 2550 }] });
    expect(verdictOf([...brief, ...held, ...hold("W2/1", { at: 2800 })])).toEqual(VALID);
  });

  test("one trouble that was answered makes up for another that nobody asked about", () => {
    const later = ["A", "B", "C"].flatMap((node) => [down(3000, node), up(4000, node)]);

    expect(verdictOf([...outage, ...hold("W2/1", { at: 2300, release: 2400 }), ...later])).toEqual(VALID);
  });
});
