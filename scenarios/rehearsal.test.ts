import { describe, expect, test } from "vitest";
import { matchesPattern } from "../harness/faults/event-pattern.ts";
import type { HistoryEvent } from "../harness/history/event.ts";
import { unmetConditions } from "../harness/runner/staging.ts";
import type { LabSettings } from "../harness/scenario/lab-settings.ts";
import { resolvePlan } from "../harness/scenario/resolve-plan.ts";
import { SCENARIOS } from "./index.ts";
import { rehearse } from "./rehearsal.fixture.ts";

interface Span {
  readonly worker: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** From the worker's grant, or its entry, to whichever of the ends comes first. */
function spans(events: readonly HistoryEvent[], mode: "declared" | "actual"): readonly Span[] {
  const begins = mode === "declared" ? "acquire-granted" : "section-entered";
  const ends = mode === "declared" ? "release-invoked" : "section-left";
  return events.flatMap((event) => {
    if (event.kind !== begins) return [];
    const { worker } = event;
    const end = events.find(
      (later) =>
        later.seq > event.seq &&
        (later.kind === ends || later.kind === "worker-killed") &&
        "worker" in later &&
        later.worker === worker,
    );
    const endMs = end?.atMs ?? Number.POSITIVE_INFINITY;
    const deadlineMs = event.kind === "acquire-granted" ? event.deadlineMs : Number.POSITIVE_INFINITY;
    return [{ worker, fromMs: event.atMs, toMs: Math.min(endMs, deadlineMs) }];
  });
}

function overlaps(all: readonly Span[]): boolean {
  return all.some((one) =>
    all.some((other) => one.worker !== other.worker && one.fromMs < other.toMs && other.fromMs < one.toMs),
  );
}

/** A write that was accepted although one of a later grant had been. */
function acceptedStale(events: readonly HistoryEvent[]): boolean {
  const ranks = events.flatMap((event) => (event.kind === "acquire-granted" ? [event.hold] : []));
  const accepted = events.flatMap((event) =>
    event.kind === "write-judged" && event.accepted ? [ranks.indexOf(event.hold)] : [],
  );
  return accepted.some((rank, index) => accepted.slice(0, index).some((earlier) => earlier > rank));
}

const EVERY_VARIANT = SCENARIOS.flatMap((scenario) =>
  scenario.variants.map((variant) => [scenario.id, variant.name, { scenario, variant }] as const),
);
const SETTINGS: readonly Partial<LabSettings>[] = [{}, { nodeCount: 3 }, { nodeCount: 7 }, { ttlMs: 2000 }];

describe.each(SETTINGS)("with %j", (overrides) => {
  test.each(EVERY_VARIANT)("%s %s unfolds as it is told", (_id, _name, told) => {
    const plan = resolvePlan({ ...told, overrides, seed: "1" });
    const { events, leftOver, isOver, endMs } = rehearse(plan);

    expect(isOver).toBe(true);
    expect(leftOver).toEqual([]);
    expect(unmetConditions(events, plan.staging)).toEqual([]);
    expect(
      plan.demands.events.filter((pattern) => !events.some((event) => matchesPattern(event, pattern))),
    ).toEqual([]);
    expect(endMs).toBeLessThan(plan.limitMs / 2);
  });

  test.each(EVERY_VARIANT)("%s %s shows what is expected of it", (_id, _name, told) => {
    const { events } = rehearse(resolvePlan({ ...told, overrides, seed: "1" }));
    const { expect: expected } = told.variant;

    expect(overlaps(spans(events, "declared"))).toBe(expected.declared === "invalid");
    expect(overlaps(spans(events, "actual"))).toBe(expected.actual === "invalid");
    expect(acceptedStale(events)).toBe(expected.stale === "invalid");
  });
});

test("all stories together take less than 40 seconds of run time", () => {
  const lengths = EVERY_VARIANT.map(
    ([, , told]) => rehearse(resolvePlan({ ...told, overrides: {}, seed: "1" })).endMs,
  );

  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(40_000);
});
