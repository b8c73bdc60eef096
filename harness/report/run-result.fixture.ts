/** Literal runs that the tests of the reports read: what S14 and S01 look like on a well-behaved machine. */
import type { CheckerName } from "../checkers/checker-name.ts";
import { CHECKER_NAMES } from "../checkers/checker-name.ts";
import type { Evidence, Verdict } from "../checkers/verdict.ts";
import type { EventBody, HistoryEvent } from "../history/event.ts";
import type { HistoryHeader } from "../history/history.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { DEFAULT_SETTINGS } from "../scenario/lab-settings.ts";
import type { Expectations } from "../scenario/scenario.ts";
import type { CheckerResult, RunResult } from "./run-result.ts";

export const HEADER: HistoryHeader = {
  version: 1,
  scenario: "S14",
  variant: "plain",
  backend: "local",
  seed: "7",
  startedAt: "2026-01-01T00:00:00.000Z",
  nodes: ["A", "B", "C", "D", "E"],
  workers: ["W1", "W2"],
  quorum: 3,
  ttlMs: 1000,
  nodeTimeoutMs: 50,
  driftFactor: 0.01,
  retryCapMs: 100,
  fencing: false,
  nodeStampUncertaintyMs: 0,
  schedulingGraceMs: 0,
};

export const PLAN: RunPlan = {
  version: 1,
  scenario: "S14",
  variant: "plain",
  seed: "7",
  nodes: HEADER.nodes,
  settings: DEFAULT_SETTINGS,
  workers: [],
  faults: [],
  staging: [],
  demands: { contention: true, events: [] },
  limitMs: 5000,
};

/** Numbers the events in the order given. */
export function eventsOf(...stamped: readonly (readonly [number, EventBody])[]): readonly HistoryEvent[] {
  return stamped.map(([atMs, body], seq) => ({ ...body, seq, atMs }));
}

export const invalid = (sentence: string, where: Partial<Evidence> = {}): Verdict => ({
  kind: "invalid",
  evidence: [{ sentence, fromMs: 0, toMs: 0, seqs: [], ...where }],
});

/** Every checker valid but those named, against what was expected. */
export function checkerResults(
  verdicts: Partial<Record<CheckerName, Verdict>> = {},
  expect: Expectations = {},
): readonly CheckerResult[] {
  return CHECKER_NAMES.map((checker) => {
    const verdict = verdicts[checker] ?? { kind: "valid" };
    const expected = expect[checker] ?? "valid";
    return { checker, expected, verdict, met: expected === "any" || expected === verdict.kind };
  });
}

/** A control that matched, but for what is named. */
export function runResult(differences: Partial<RunResult> = {}): RunResult {
  return {
    version: 1,
    scenario: "S16",
    title: "Delayed restart",
    variant: "plain",
    summary: "The node stays away until every key it forgot has expired.",
    backend: "local",
    seed: "7",
    repetition: 1,
    outcome: "matched",
    reason: "every checker said what was expected",
    checkers: checkerResults(),
    stagings: ["ok"],
    durationMs: 1234,
    replay: "redlock-lab run S16 --variant plain --backend local --seed 7",
    plan: PLAN,
    header: HEADER,
    events: [],
    ...differences,
  };
}
