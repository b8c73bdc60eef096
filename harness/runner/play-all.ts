/** Plays everything that one command asks for, with checkers that are given. */
import pLimit from "p-limit";
import { InterruptedError } from "../lab-error.ts";
import type { RunResult } from "../report/run-result.ts";
import type { Checkers } from "../checkers/checker.ts";
import type { LabRequest } from "./lab-request.ts";
import { replayCommand } from "./replay-command.ts";
import { type ListedRun, listRuns } from "./run-list.ts";
import { type PlayedResult, type RunRequest, runOne } from "./run-one.ts";

/**
 * Returns the results in the order asked for, whatever the order in which the runs ended. After the signal it returns
 * what had finished by then. A run that fails does not keep the others from being played.
 *
 * @throws UsageError one sentence, before anything is started: the request cannot be carried out.
 */
export async function playAll(request: LabRequest, checkers: Checkers): Promise<readonly RunResult[]> {
  const limit = pLimit(request.concurrency);
  const runs = listRuns(request).map((run) => limit(() => finish(run, request, checkers)));
  // Nothing may go on after this function has returned, not even when one of them has a bug.
  const settled = await Promise.allSettled(runs);
  return settled.flatMap((run) => {
    if (run.status === "rejected") throw run.reason;
    return run.value ?? [];
  });
}

/** `undefined`: interrupted, or not started any more. */
async function finish(
  run: ListedRun,
  request: LabRequest,
  checkers: Checkers,
): Promise<RunResult | undefined> {
  if (request.signal.aborted) return undefined;
  const played = await playOrExplain(run, request, checkers);
  if (played === undefined) return undefined;
  const result = resultOf(run, request, played);
  request.onProgress({ kind: "run-finished", result });
  return result;
}

async function playOrExplain(
  run: ListedRun,
  request: LabRequest,
  checkers: Checkers,
): Promise<PlayedResult | undefined> {
  const { plan, whyNot, variant } = run;
  if (plan === undefined || whyNot !== undefined) {
    return unplayed(request.named ? "inconclusive" : "skipped", whyNot ?? "It has no plan.");
  }
  const { backend, signal, onProgress } = request;
  const names = { scenario: run.scenario.id, variant: variant.name, repetition: run.repetition };
  const onStagedAgain: RunRequest["onStagedAgain"] = (why) => {
    onProgress({ kind: "run-staged-again", ...names, why });
  };
  onProgress({ kind: "run-started", ...names });
  try {
    return await runOne({ plan, expect: variant.expect, backend, checkers, signal, onStagedAgain });
  } catch (cause) {
    if (cause instanceof InterruptedError) return undefined;
    return unplayed("infrastructure", cause instanceof Error ? cause.message : String(cause));
  }
}

function unplayed(outcome: "inconclusive" | "skipped" | "infrastructure", reason: string): PlayedResult {
  return {
    outcome,
    reason,
    checkers: [],
    stagings: [],
    durationMs: 0,
    digest: undefined,
    header: undefined,
    events: [],
  };
}

function resultOf(
  run: ListedRun,
  { backend, overrides, strategy }: LabRequest,
  played: PlayedResult,
): RunResult {
  const { scenario, variant, repetition, seed, plan } = run;
  const names = { scenario: scenario.id, variant: variant.name, backend: backend.name, seed };
  return {
    version: 1,
    ...names,
    title: scenario.title,
    summary: variant.summary,
    repetition,
    ...played,
    replay: replayCommand({ ...names, overrides, strategy }),
    plan,
  };
}
