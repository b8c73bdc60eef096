/** What came out of runs. Reports turn this into text; nothing here performs anything. */
import type { CheckerName } from "../checkers/checker-name.ts";
import type { Verdict } from "../checkers/verdict.ts";
import type { HistoryEvent } from "../history/event.ts";
import type { HistoryHeader } from "../history/history.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import type { Expectation } from "../scenario/scenario.ts";
import type { ThresholdResult } from "./ci/threshold-result.ts";

/**
 * - `matched`: every checker said what was expected.
 * - `violated`: a checker of safety found what must not be.
 * - `late`: a checker of liveness did.
 * - `non-deterministic`: a deterministic backend gave another history than the one that was recorded.
 * - `not-reproduced`: an expected violation did not show.
 * - `inconclusive`: vacuous, badly staged, or a checker could not tell; `reason` says which.
 * - `infrastructure`: a server, port or folder was not to be had.
 * - `skipped`: this backend cannot play it, and it was not asked for by name.
 */
export type RunOutcome =
  | "matched"
  | "violated"
  | "late"
  | "non-deterministic"
  | "not-reproduced"
  | "inconclusive"
  | "infrastructure"
  | "skipped";

export interface CheckerResult {
  readonly checker: CheckerName;
  readonly expected: Expectation;
  readonly verdict: Verdict;
  /** True when the verdict is what was expected. */
  readonly met: boolean;
}

export interface RunResult {
  readonly version: 1;
  readonly scenario: string;
  readonly title: string;
  readonly variant: string;
  readonly summary: string;
  readonly backend: string;
  readonly seed: string;
  /** Counts from 1; the n-th repetition of this variant. */
  readonly repetition: number;
  readonly outcome: RunOutcome;
  /** One sentence: why the outcome is not `matched`, or what was found. */
  readonly reason: string;
  readonly checkers: readonly CheckerResult[];
  /** How often the run was staged, and why the earlier stagings did not count. */
  readonly stagings: readonly string[];
  readonly durationMs: number;
  /** Command line that repeats this run. */
  readonly replay: string;
  readonly plan: RunPlan | undefined;
  /** Names what happened; the same whenever the plan is played. Only of a backend that is deterministic. */
  readonly digest: string | undefined;
  readonly header: HistoryHeader | undefined;
  readonly events: readonly HistoryEvent[];
}

/** All runs of one command. */
export interface LabReport {
  readonly version: 1;
  readonly command: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly exitCode: number;
  readonly interrupted: boolean;
  readonly runs: readonly RunResult[];
  /** The limits that the command line set. */
  readonly thresholds: readonly ThresholdResult[];
}
