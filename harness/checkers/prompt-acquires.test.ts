import { describe, expect, test } from "vitest";
import { type At, failedAcquire, historyOf, settled } from "../history/history.fixture.ts";
import { findSlowAcquires } from "./prompt-acquires.ts";
import { checkSettling } from "./settling.ts";

const W1 = { worker: "W1", resource: "orders" } as const;

/** An acquire of W1 that was granted after so long. */
const granted = (count: number, at: number, tookMs: number): readonly At[] => [
  [at, { kind: "acquire-invoked", ...W1, call: `W1#${count}`, ttlMs: 1000, waitMs: 0 }],
  [
    at + tookMs,
    {
      ...{ kind: "acquire-granted", ...W1, call: `W1#${count}`, hold: `W1/${count}`, value: `v${count}` },
      ...{ deadlineMs: at + 988, remainingMs: 900, votes: [] },
    },
  ],
];

const verdictOf = (...events: readonly At[]) =>
  checkSettling(historyOf([...events, ...settled(5000)]), {
    contention: false,
    events: [],
    promptAcquires: { medianBelowMs: 50 },
  });

describe("acquires with a quorum in reach", () => {
  test("one late wake-up among prompt ones proves nothing", () => {
    expect(verdictOf(...granted(1, 0, 4), ...granted(2, 100, 120), ...granted(3, 300, 6)).kind).toBe("valid");
  });

  test("to wait for the silent nodes each time is too slow", () => {
    expect(verdictOf(...granted(1, 0, 51), ...granted(2, 100, 52), ...granted(3, 300, 4))).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence:
            "acquire W1#1 of W1, invoked at 0, took 51 ms, the median of 3; with a quorum in reach it has to be below 50 ms",
        },
      ],
    });
  });

  test("calls that never came back took for ever", () => {
    const open: At = [100, { kind: "acquire-invoked", ...W1, call: "W1#2", ttlMs: 1000, waitMs: 9000 }];
    const verdict = checkSettling(historyOf([...granted(1, 0, 4), open, [200, { kind: "run-ended" }]]), {
      contention: false,
      events: [],
      promptAcquires: { medianBelowMs: 50 },
    });
    expect(verdict).toMatchObject({ kind: "invalid", evidence: [{ toMs: 100 }] });
  });

  test("where nobody tried to acquire, nothing is slow", () => {
    expect(
      findSlowAcquires(historyOf([]), {
        contention: false,
        events: [],
        promptAcquires: { medianBelowMs: 50 },
      }),
    ).toEqual([]);
  });

  test("none may fail", () => {
    expect(
      verdictOf(...granted(1, 0, 4), ...failedAcquire("W1#2", { at: 100, returned: 104 })),
    ).toMatchObject({
      kind: "invalid",
      evidence: [
        { sentence: expect.stringMatching(/^acquire W1#2 of W1, invoked at 100, failed \(/) as string },
      ],
    });
  });
});
