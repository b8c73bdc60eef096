import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../history/event.ts";
import { eventsOf, HEADER, runResult } from "../run-result.fixture.ts";
import { judgeThresholds, thresholdSentence } from "./threshold.ts";

/** A worker that acquires at `invokedMs` and is granted it `tookMs` later, several times. */
function grants(
  ...calls: readonly (readonly [invokedMs: number, tookMs: number])[]
): readonly HistoryEvent[] {
  return eventsOf(
    ...calls.flatMap(([invokedMs, tookMs], at) => [
      [
        invokedMs,
        {
          kind: "acquire-invoked",
          worker: "W1",
          call: `W1#${at}`,
          resource: "orders",
          ttlMs: 1000,
          waitMs: 0,
        },
      ] as const,
      [
        invokedMs + tookMs,
        {
          kind: "acquire-granted",
          worker: "W1",
          call: `W1#${at}`,
          hold: `W1/${at}`,
          resource: "orders",
          value: `v${at}`,
          deadlineMs: invokedMs + 988,
          remainingMs: 900,
          votes: [],
        },
      ] as const,
    ]),
  );
}

const P99 = { name: "max-p99-ms", limitMs: 30 } as const;
const RECOVERY = { name: "max-recovery-ms", limitMs: 500 } as const;

describe("judgeThresholds", () => {
  test("the slowest variant counts, over all its repetitions", () => {
    const runs = [
      runResult({ scenario: "S05", events: grants([0, 10], [2000, 20]) }),
      runResult({ scenario: "S05", repetition: 2, events: grants([0, 25]) }),
      runResult({ scenario: "S16", events: grants([0, 12]) }),
    ];
    const [result] = judgeThresholds([P99], runs);
    expect(result).toEqual({
      ...P99,
      worst: { measuredMs: 25, where: "S05 plain", sampleCount: 3 },
      outcome: "kept",
    });
  });

  test("one millisecond above is a breach, the limit itself is kept", () => {
    const outcomeOf = (tookMs: number) =>
      judgeThresholds([P99], [runResult({ events: grants([0, tookMs]) })])[0]?.outcome;
    expect([outcomeOf(30), outcomeOf(31)]).toEqual(["kept", "breached"]);
  });

  test("p99 is the nearest rank: one of a hundred may be slow, one of ninety-nine may not", () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, at) => [at * 2000, at === 7 ? 900 : 5] as const);
    const worstOf = (count: number) =>
      judgeThresholds([P99], [runResult({ events: grants(...calls(count)) })])[0]?.worst?.measuredMs;
    expect([worstOf(100), worstOf(99)]).toEqual([5, 900]);
  });

  test("what nobody measured is no pass", () => {
    expect(judgeThresholds([P99, RECOVERY], [runResult(), runResult({ header: undefined })])).toEqual([
      { ...P99, worst: null, outcome: "unmeasured" },
      { ...RECOVERY, worst: null, outcome: "unmeasured" },
    ]);
  });

  test("recovery counts from the time at which a quorum is in reach again", () => {
    const nodes = ["C", "D", "E"];
    const events = eventsOf(
      [0, { kind: "worker-started", worker: "W1" }],
      ...nodes.map((node) => [100, { kind: "node-down", node, cause: "killed" }] as const),
      [
        150,
        { kind: "acquire-invoked", worker: "W1", call: "W1#1", resource: "orders", ttlMs: 1000, waitMs: 900 },
      ],
      ...nodes.map((node) => [400, { kind: "node-up", node }] as const),
      [
        720,
        {
          kind: "acquire-granted",
          worker: "W1",
          call: "W1#1",
          hold: "W1/1",
          resource: "orders",
          value: "v1",
          deadlineMs: 1700,
          remainingMs: 980,
          votes: [],
        },
      ],
      [1200, { kind: "story-ended", cause: "done" }],
      [1300, { kind: "run-ended" }],
    );
    const run = runResult({ events, header: { ...HEADER, workers: ["W1"] } });
    expect(judgeThresholds([RECOVERY], [run])[0]?.worst).toMatchObject({ measuredMs: 320 });
  });
});

describe("thresholdSentence", () => {
  test("says what, how much, where and what was asked", () => {
    const [result] = judgeThresholds([P99], [runResult({ events: grants([0, 40]) })]);
    expect(result === undefined ? "" : thresholdSentence(result)).toBe(
      "p99 of acquire, from the call to the grant: 40.0 ms in S16 plain (1 measured), at most 30 ms asked",
    );
  });

  test("says why nothing was measured", () => {
    const [result] = judgeThresholds([RECOVERY], []);
    expect(result === undefined ? "" : thresholdSentence(result)).toContain(
      "not measured, because no run had anything to recover from",
    );
  });
});
