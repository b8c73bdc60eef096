/**
 * Plays one run, again where the story did not come about, and judges it. A verdict is never retried: only a run
 * that says nothing about its story is. A violation of safety says something however the run came about; that a
 * call was late does not, where a machine too busy for the staging is the likely reason for both.
 */
import type { Backend, PlayedRun } from "../backends/backend.ts";
import { historyDigest } from "../history/digest.ts";
import { InterruptedError } from "../lab-error.ts";
import type { RunResult } from "../report/run-result.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import type { Expectations } from "../scenario/scenario.ts";
import type { Checkers } from "../checkers/checker.ts";
import { type Judgement, judgeRun } from "./judge-run.ts";
import { unmetConditions } from "./staging.ts";

/** A story that three stagings in a row do not bring about will not come about on this machine. */
export const STAGINGS_MAX = 3;

export interface RunRequest {
  readonly plan: RunPlan;
  readonly expect: Expectations;
  readonly backend: Backend;
  readonly checkers: Checkers;
  readonly signal: AbortSignal;
  /** Told before each further staging. */
  readonly onStagedAgain: (why: string) => void;
}

/** What a run adds to what was known before it. */
export type PlayedResult = Pick<
  RunResult,
  "outcome" | "reason" | "checkers" | "stagings" | "durationMs" | "digest" | "header" | "events"
>;

/**
 * @throws InfrastructureError when the backend could not play.
 * @throws InterruptedError when the signal ended it: half a run proves nothing.
 */
export async function runOne(request: RunRequest): Promise<PlayedResult> {
  const { isDeterministic } = request.backend;
  // Staged again, a deterministic run would come out as before.
  const stagingsMax = isDeterministic ? 1 : STAGINGS_MAX;
  const stagings: string[] = [];
  let durationMs = 0;

  for (;;) {
    const played = await play(request);
    durationMs += played.events.at(-1)?.atMs ?? 0;
    const judgement = judge(request, played);
    const failures = unmetConditions(played.events, request.plan.staging);
    const why = failures.join(" ");
    stagings.push(failures.length === 0 ? "The story came about." : why);

    const result = {
      stagings,
      durationMs,
      digest: isDeterministic ? historyDigest(played) : undefined,
      ...played,
    };
    // A violation is final at first sight, however the run came about.
    if (failures.length === 0 || judgement.outcome === "violated") return { ...result, ...judgement };
    if (stagings.length === stagingsMax) return { ...result, ...badlyStaged(judgement, stagings) };
    request.onStagedAgain(why);
  }
}

async function play({ plan, backend, signal }: RunRequest): Promise<PlayedRun> {
  try {
    const played = await backend.play(plan, { signal });
    if (!signal.aborted) return played;
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
  throw new InterruptedError("The run was interrupted.");
}

function judge({ plan, expect, checkers }: RunRequest, { header, events }: PlayedRun): Judgement {
  return judgeRun({ history: { header, events }, plan, expect, checkers });
}

function badlyStaged({ checkers }: Judgement, stagings: readonly string[]): Judgement {
  const tries = stagings.length === 1 ? "" : ` in ${stagings.length} stagings`;
  return {
    checkers,
    outcome: "inconclusive",
    reason: `The story did not come about${tries}: ${stagings.at(-1) ?? ""}`,
  };
}
