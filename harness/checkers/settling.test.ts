import { describe, expect, test } from "vitest";
import { type At, extended, failedAcquire, historyOf, hold } from "../history/history.fixture.ts";
import type { HistoryHeader } from "../history/history.ts";
import { checkSettling } from "./settling.ts";

/** The bound of a single attempt with the fixture's header: node timeout 50 and retry cap 100. */
const ACQUIRE_MS = 150;

const verdictOf = (events: readonly At[], header: Partial<HistoryHeader> = {}) =>
  checkSettling(historyOf(events, header));
const endedAt = (atMs: number): At => [atMs, { kind: "run-ended" }];
const pausedFrom = (atMs: number): At => [atMs, { kind: "worker-paused", worker: "W1" }];
const resumedAt = (atMs: number): At => [atMs, { kind: "worker-resumed", worker: "W1" }];

describe("checkSettling", () => {
  test("without a call nothing can be said", () => {
    expect(verdictOf([])).toEqual({ kind: "unknown", reason: "no worker ever called the coordinator" });
  });

  test("calls within their bounds are valid", () => {
    expect(
      verdictOf([
        ...hold("W1/1", { at: 5, release: 900 }),
        ...extended("W1/1", { at: 500, granted: 1100, deadline: 1500 }),
        ...failedAcquire("W2#1", { at: 0, returned: ACQUIRE_MS }),
        ...failedAcquire("W3#1", { at: 0, returned: ACQUIRE_MS + 2000, waitMs: 2000 }),
      ]),
    ).toEqual({ kind: "valid" });
  });

  test("an acquire that comes back past its bound is invalid", () => {
    expect(verdictOf(failedAcquire("W2#1", { at: 10, returned: 11 + ACQUIRE_MS }))).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence: "acquire W2#1 of W2, invoked at 10, came back after 151 ms; it may take 150 ms",
          fromMs: 10,
          toMs: 161,
        },
      ],
    });
  });

  test("a scheduling grace and, with fencing, the drawing of a token are granted", () => {
    const late = failedAcquire("W2#1", { at: 0, returned: ACQUIRE_MS + 30 });

    expect(verdictOf(late, { schedulingGraceMs: 30 })).toEqual({ kind: "valid" });
    expect(verdictOf(late, { schedulingGraceMs: 29 })).toMatchObject({ kind: "invalid" });
    expect(verdictOf(late, { fencing: true })).toEqual({ kind: "valid" });
  });

  test("time in which the caller was stopped does not count, time in which somebody else was does", () => {
    const paused = [pausedFrom(20), resumedAt(3020), ...failedAcquire("W1#1", { at: 10, returned: 3100 })];
    const other = [pausedFrom(20), resumedAt(3020), ...failedAcquire("W2#1", { at: 10, returned: 3100 })];

    expect(verdictOf(paused)).toEqual({ kind: "valid" });
    expect(verdictOf(other)).toMatchObject({ kind: "invalid" });
    expect(
      verdictOf([pausedFrom(0), resumedAt(9), ...failedAcquire("W1#1", { at: 10, returned: 161 })]),
    ).toMatchObject({ kind: "invalid" });
  });

  test("an extension may take until its hold's deadline and one more round", () => {
    const late = (granted: number) => [
      ...hold("W1/1", { at: 5, deadline: 988 }),
      ...extended("W1/1", { at: 500, granted, deadline: 1488 }),
    ];

    expect(verdictOf(late(988 + ACQUIRE_MS))).toEqual({ kind: "valid" });
    expect(verdictOf(late(989 + ACQUIRE_MS))).toMatchObject({ kind: "invalid" });
  });

  test("an extension of a hold that is over, or that nobody knows, may take one round", () => {
    const over = [
      ...hold("W1/1", { at: 5, deadline: 988 }),
      ...extended("W1/1", { at: 2000, granted: 2001 + ACQUIRE_MS, deadline: 988 }),
    ];

    expect(verdictOf(over)).toMatchObject({ kind: "invalid" });
    expect(
      verdictOf([[0, { kind: "extend-invoked", worker: "W1", call: "W1#1", hold: "W1/1", ttlMs: 1 }]]),
    ).toMatchObject({ kind: "unknown" });
  });

  test("a release may take one node timeout", () => {
    const [invoked, returned] = [...hold("W1/1", { at: 5, release: 100 })].filter(([, { kind }]) =>
      kind.startsWith("release"),
    );
    if (invoked === undefined || returned === undefined) throw new Error("no release");

    expect(verdictOf([invoked, [151, returned[1]]])).toMatchObject({
      evidence: [
        { sentence: "release W1/1#release of W1, invoked at 100, came back after 51 ms; it may take 50 ms" },
      ],
    });
  });

  test("a call that is open past its bound is invalid, one that is open within it unknown", () => {
    const open = failedAcquire("W2#1", { at: 10, returned: null });

    expect(verdictOf([...open, endedAt(11 + ACQUIRE_MS)])).toMatchObject({
      evidence: [
        {
          sentence: "acquire W2#1 of W2, invoked at 10, was still open after 151 ms; it may take 150 ms",
          seqs: [0],
        },
      ],
    });
    expect(verdictOf([...open, endedAt(30)])).toEqual({
      kind: "unknown",
      reason: "the run ended while acquire W2#1 of W2 had spent 20 of the 150 ms that it may take",
    });
  });

  test("an open call of a killed worker is excused", () => {
    expect(
      verdictOf([
        ...failedAcquire("W2#1", { at: 10, returned: null }),
        [20, { kind: "worker-killed", worker: "W2" }],
        endedAt(5000),
      ]),
    ).toEqual({ kind: "valid" });
  });
});
