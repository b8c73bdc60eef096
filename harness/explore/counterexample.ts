/** From the index of a schedule that failed to the smallest one that shows it, proven to be the same each time. */
import { historyDigest } from "../history/digest.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { tellCauses } from "./causes.ts";
import type { Allowance } from "./allowance.ts";
import { type Finding, type JudgedSchedule, judgeSchedule } from "./judge-schedule.ts";
import { shrinkSchedule, type Shrunk } from "./shrink-schedule.ts";

export interface Counterexample {
  readonly plan: RunPlan;
  readonly judged: JudgedSchedule;
  readonly finding: Finding;
  /** Faults before it was shrunk, and how many smaller schedules were tried. */
  readonly faultCountBefore: number;
  readonly triesCount: number;
  readonly causes: readonly string[];
  readonly digest: string;
  /** Played twice, it gave the same history; `null` on real servers, where no two runs are the same. */
  readonly isDeterministic: boolean | null;
}

const TRIES_MAX = 3_000;
/** More faults than these nobody follows: then another sign of the same harm will do. */
const FAULTS_FOLLOWED_MAX = 3;

/** @returns `undefined` where the schedule shows nothing, which then was not deterministic. */
export function counterexampleFrom(plan: RunPlan, allow: readonly Allowance[]): Counterexample | undefined {
  const first = judgeSchedule(plan).finding;
  if (first === undefined) return undefined;
  const shrunk = shrink(plan, first, allow);
  const judged = judgeSchedule(shrunk.plan);
  const finding = judged.finding ?? first;
  const digest = historyDigest(judged.history);
  return {
    plan: shrunk.plan,
    judged,
    finding,
    faultCountBefore: plan.faults.length,
    triesCount: shrunk.triesCount,
    causes: tellCauses(judged.history, finding),
    digest,
    isDeterministic:
      judged.finding !== undefined && historyDigest(judgeSchedule(shrunk.plan).history) === digest,
  };
}

function shrink(plan: RunPlan, first: Finding, allow: readonly Allowance[]): Shrunk {
  const showsSame = shrinkSchedule(plan, {
    allow,
    fails: (smaller) => isSameFinding(judgeSchedule(smaller).finding, first),
    triesMax: TRIES_MAX,
  });
  if (showsSame.plan.faults.length <= FAULTS_FOLLOWED_MAX) return showsSame;
  const showsHarm = shrinkSchedule(showsSame.plan, {
    allow,
    fails: (smaller) => judgeSchedule(smaller).finding?.kind === first.kind,
    triesMax: TRIES_MAX,
  });
  return { plan: showsHarm.plan, triesCount: showsSame.triesCount + showsHarm.triesCount };
}

/** Whether both show the same thing, whatever the times. */
export function isSameFinding(left: Finding | undefined, right: Finding): boolean {
  return left?.kind === right.kind && left.checker === right.checker;
}
