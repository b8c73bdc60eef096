import { describe, expect, test } from "vitest";
import type { NodeName } from "../history/event.ts";
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
import { checkProgress } from "./progress.ts";

const VALID = { kind: "valid" };
const INVALID = { kind: "invalid" };

const verdictOf = (events: readonly At[], header: Partial<HistoryHeader> = {}) =>
  checkProgress(historyOf([...events, ...settled(8000)], header));

/** Somebody watched the nodes, and there is nothing on them that matters. */
const WATCHED = keySet(0, "A", "W9/1", { resource: "bills" });
const waits = (at: number, returned: number | null, code: "contended" | "unavailable" = "contended") =>
  failedAcquire("W2#1", { at, returned, waitMs: 500, code });

describe("checkProgress", () => {
  test("nobody tried in vain", () => {
    expect(verdictOf([])).toEqual(VALID);
    expect(verdictOf(hold("W1/1", { at: 5, release: 100 }))).toEqual(VALID);
  });

  test("alone, with everything free, a single try acquires", () => {
    expect(verdictOf([WATCHED, ...failedAcquire("W2#1", { at: 100, returned: 104 })])).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence:
            "acquire W2#1 of W2, invoked at 100, failed (contended) although nothing stood in its way from 100 to 104",
          fromMs: 100,
          toMs: 104,
        },
      ],
    });
  });

  test("who waits is given a pause and a round from when nothing is in the way any more", () => {
    const first = hold("W1/1", { at: 5, release: 200 });

    expect(verdictOf([...first, ...waits(100, 350)])).toEqual(VALID);
    expect(verdictOf([...first, ...waits(100, 353)])).toMatchObject({
      evidence: [{ fromMs: 202, toMs: 353 }],
    });
    expect(verdictOf([...first, ...waits(100, 353)], { schedulingGraceMs: 5 })).toEqual(VALID);
    expect(verdictOf([...first, ...waits(100, 353, "unavailable")])).toMatchObject(INVALID);
    expect(verdictOf([...first, ...waits(100, 353)], { nodeStampUncertaintyMs: 5 })).toEqual(VALID);
  });

  test("a call that never comes back is judged up to the end of the story", () => {
    expect(verdictOf([WATCHED, ...waits(100, null)])).toMatchObject({ evidence: [{ toMs: 8000 }] });
    expect(verdictOf([WATCHED, ...waits(7900, null)])).toEqual(VALID);
  });

  test("keys that were left are waited for, but no longer than a TTL", () => {
    const left = (ttlMs: number | null) => keySet(50, "A", "W3/1", { ttlMs });

    expect(verdictOf([left(1000), ...waits(100, 1150)])).toEqual(VALID);
    expect(verdictOf([left(1000), ...waits(100, 1250)])).toMatchObject(INVALID);
    expect(verdictOf([left(null), ...waits(100, 1250)])).toEqual(VALID);
    expect(verdictOf([left(null), ...waits(100, 1251)])).toMatchObject(INVALID);
  });

  test("where nobody watched the nodes there may have been keys for a whole TTL", () => {
    expect(verdictOf(waits(100, 1250))).toEqual(VALID);
    expect(verdictOf(waits(100, 1251))).toMatchObject(INVALID);
  });

  test("where a rival tries rounds may split", () => {
    const rival = (at: number, returned: number) => failedAcquire("W1#1", { at, returned, waitMs: 100 });

    expect(verdictOf([WATCHED, ...waits(100, 400), ...rival(120, 390)])).toEqual(VALID);
    expect(verdictOf([WATCHED, ...waits(100, 600), ...rival(120, 390)])).toMatchObject({
      evidence: [{ fromMs: 390, toMs: 600 }],
    });
    expect(verdictOf([WATCHED, ...waits(100, 600), ...rival(300, 390)])).toMatchObject({
      evidence: [{ fromMs: 100, toMs: 300 }],
    });
  });

  test.each<readonly [string, readonly At[]]>([
    ["stopped", [[101, { kind: "worker-paused", worker: "W2" }]]],
    ["killed", [[101, { kind: "worker-killed", worker: "W2" }]]],
    ["cut off from a quorum", [applied(101, "cut-w2", "ABC", ["W2"])]],
    ["without a quorum of nodes", [down(90, "A"), down(90, "B"), down(90, "C")]],
    ["under a fault of its own", [applied(90, "slow-resource", "", ["W2"])]],
  ])("who is %s is not judged", (_why, trouble) => {
    expect(verdictOf([WATCHED, ...waits(100, 600), ...trouble])).toEqual(VALID);
  });

  test("a fault of somebody else is no excuse", () => {
    const other = [applied(90, "cut-w1", "ABC", ["W1"]), healed(500, "cut-w1")];

    expect(verdictOf([WATCHED, ...waits(100, 400), ...other])).toMatchObject(INVALID);
  });

  test("a worker is no rival of itself", () => {
    const own = failedAcquire("W2#2", { at: 90, returned: 300, waitMs: 200, code: "aborted" });

    expect(verdictOf([WATCHED, ...waits(100, 400), ...own])).toMatchObject(INVALID);
  });

  test("beliefs and keys of long before and long after are nobody's hindrance", () => {
    const far = [
      ...hold("W1/1", { at: 10, release: 20 }),
      ...hold("W1/2", { at: 30, release: 40 }),
      ...hold("W1/3", { at: 2000, release: 2010 }),
      ...hold("W1/4", { at: 2020, release: 2030 }),
    ];

    expect(verdictOf([...far, ...waits(100, 400)])).toMatchObject({ evidence: [{ fromMs: 100, toMs: 400 }] });
  });

  test("a history without a story's end is judged as far as it goes", () => {
    expect(checkProgress(historyOf([WATCHED, ...waits(100, 400)]))).toMatchObject(INVALID);
  });

  test("after trouble there is time to connect anew", () => {
    const cut = [applied(50, "cut-w2", "ABC", ["W2"]), healed(150, "cut-w2")];
    const outage = [down(50, "A"), down(50, "B"), down(50, "C"), up(150, "C")];

    for (const trouble of [cut, outage]) {
      expect(verdictOf([WATCHED, ...waits(100, 500), ...trouble])).toEqual(VALID);
      expect(verdictOf([WATCHED, ...waits(100, 501), ...trouble])).toMatchObject({
        evidence: [{ fromMs: 350 }],
      });
    }
  });

  test("what happens in the instant of a failure may be its cause", () => {
    const alone = failedAcquire("W2#1", { at: 100, returned: 104, code: "unavailable" });
    const reset = [applied(104, "reset-w2", "ABC", ["W2"]), healed(104, "reset-w2")];

    expect(verdictOf([WATCHED, ...alone])).toMatchObject(INVALID);
    expect(verdictOf([WATCHED, ...alone, ...reset])).toEqual(VALID);
  });

  test("nodes that were away one after the other may have to be connected anew at once", () => {
    const alone = failedAcquire("W2#1", { at: 100, returned: 104, code: "unavailable" });
    const away = (node: NodeName, at: number) => [down(at, node), up(at, node)];

    expect(verdictOf([WATCHED, ...alone, ...away("A", 80), ...away("B", 90)])).toMatchObject(INVALID);
    expect(verdictOf([WATCHED, ...alone, ...away("A", 80), ...away("B", 90), ...away("C", 95)])).toEqual(
      VALID,
    );
  });

  test("a command of a rival may be under way on a broken link when its own calls are over", () => {
    const alone = failedAcquire("W2#1", { at: 100, returned: 104, code: "contended" });
    const slow = (worker: string) => [applied(10, "slow", "A", [worker]), healed(500, "slow")];

    expect(verdictOf([WATCHED, ...alone])).toMatchObject(INVALID);
    expect(verdictOf([WATCHED, ...alone, ...slow("W1")])).toEqual(VALID);
  });

  test("what the caller ended itself is nobody's fault", () => {
    const aborted = failedAcquire("W2#1", { at: 100, returned: 400, code: "aborted" });

    expect(verdictOf([WATCHED, ...aborted])).toEqual(VALID);
  });
});
