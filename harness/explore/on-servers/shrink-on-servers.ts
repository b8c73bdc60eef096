/**
 * From a schedule that failed on real servers to a smaller one: in the simulation where it fails there too, which
 * is quick and exact, and otherwise on the servers, for as long as that is worth waiting for.
 */
import type { Backend } from "../../backends/backend.ts";
import { historyDigest } from "../../history/digest.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import type { Allowance } from "../allowance.ts";
import { tellCauses } from "../causes.ts";
import { type Counterexample, counterexampleFrom, isSameFinding } from "../counterexample.ts";
import { type Finding, judgeHistory, judgeSchedule } from "../judge-schedule.ts";
import { shrinkingSteps } from "../shrink-schedule.ts";
import type { PlayedSchedule } from "./explore-on-servers.ts";

export interface ServerShrinking {
  readonly backend: Backend;
  readonly allow: readonly Allowance[];
  readonly signal: AbortSignal;
  /** Milliseconds of any clock that goes on. */
  readonly nowMs: () => number;
}

const TRIES_MAX = 30;
const SHRINKING_MAX_MS = 120_000;

/** @throws InfrastructureError when servers are not to be had. */
export async function counterexampleOnServers(
  failed: PlayedSchedule & { readonly judged: { readonly finding: Finding } },
  shrinking: ServerShrinking,
): Promise<Counterexample> {
  const { plan, judged } = failed;
  const { finding } = judged;
  if (isSameFinding(judgeSchedule(plan).finding, finding)) {
    const simulated = counterexampleFrom(plan, shrinking.allow);
    if (simulated !== undefined) return simulated;
  }
  const { smallest, triesCount } = await shrinkOnServers(failed, finding, shrinking);
  const shown = smallest.judged.finding ?? finding;
  return {
    plan: smallest.plan,
    judged: smallest.judged,
    finding: shown,
    faultCountBefore: plan.faults.length,
    triesCount,
    causes: tellCauses(smallest.judged.history, shown),
    digest: historyDigest(smallest.judged.history),
    isDeterministic: null,
  };
}

async function shrinkOnServers(
  failed: PlayedSchedule,
  first: Finding,
  { backend, allow, signal, nowMs }: ServerShrinking,
): Promise<{ readonly smallest: Omit<PlayedSchedule, "index">; readonly triesCount: number }> {
  const endMs = nowMs() + SHRINKING_MAX_MS;
  let smallest: Omit<PlayedSchedule, "index"> = failed;
  let triesCount = 0;
  const failsToo = async (plan: RunPlan): Promise<boolean> => {
    if (signal.aborted || nowMs() >= endMs || backend.whyNot(plan) !== undefined) return false;
    triesCount += 1;
    const judged = judgeHistory(await backend.play(plan, { signal }), plan);
    if (!isSameFinding(judged.finding, first)) return false;
    smallest = { plan, judged };
    return true;
  };
  const steps = shrinkingSteps(failed.plan, { allow, triesMax: TRIES_MAX });
  let step = steps.next(false);
  while (step.done !== true) step = steps.next(await failsToo(step.value));
  return { smallest, triesCount };
}
