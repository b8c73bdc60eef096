/** Explores a block of indices of a seed and counts what was covered. Pure: the same block, the same answer. */
import type { FaultKind } from "../faults/fault.ts";
import { type DrawOptions, drawSchedule } from "./draw-schedule.ts";
import { type JudgedSchedule, judgeSchedule } from "./judge-schedule.ts";

export interface Tally {
  readonly scheduleCount: number;
  readonly vacuousCount: number;
  /** How many schedules had a fault of this kind take hold, and how many one that touched a lock or a call. */
  readonly faults: Readonly<
    Partial<Record<FaultKind, { readonly applied: number; readonly relevant: number }>>
  >;
  /** Index of the first schedule that showed what must not be; the block ends with it. */
  readonly failedIndex: number | undefined;
}

export const EMPTY_TALLY: Tally = { scheduleCount: 0, vacuousCount: 0, faults: {}, failedIndex: undefined };

/** How many indices make up a block: threads and machines take whole ones. */
export const BLOCK_SIZE = 100;

export function exploreBlock(
  { fromIndex, toIndex }: { readonly fromIndex: number; readonly toIndex: number },
  options: DrawOptions,
): Tally {
  let tally = EMPTY_TALLY;
  for (let index = fromIndex; index < toIndex; index += 1) {
    const judged = judgeSchedule(drawSchedule(index, options));
    tally = addTallies(tally, tallyOf(index, judged));
    if (judged.finding !== undefined) break;
  }
  return tally;
}

/** What one schedule adds. */
export function tallyOf(index: number, { finding, isVacuous, applied }: JudgedSchedule): Tally {
  const faults: Partial<Record<FaultKind, { applied: number; relevant: number }>> = {};
  for (const { kind, isRelevant } of applied) {
    const counted = (faults[kind] ??= { applied: 1, relevant: 0 });
    if (isRelevant && !isVacuous) counted.relevant = 1;
  }
  return {
    scheduleCount: 1,
    vacuousCount: isVacuous ? 1 : 0,
    faults,
    failedIndex: finding === undefined ? undefined : index,
  };
}

/** Of what was explored one after the other; of two failures the lower index stays. */
export function addTallies(left: Tally, right: Tally): Tally {
  const faults: Partial<Record<string, { applied: number; relevant: number }>> = {};
  for (const [kind, { applied, relevant }] of [
    ...Object.entries(left.faults),
    ...Object.entries(right.faults),
  ]) {
    const sum = (faults[kind] ??= { applied: 0, relevant: 0 });
    sum.applied += applied;
    sum.relevant += relevant;
  }
  const failed = [left.failedIndex, right.failedIndex].filter((index) => index !== undefined);
  return {
    scheduleCount: left.scheduleCount + right.scheduleCount,
    vacuousCount: left.vacuousCount + right.vacuousCount,
    faults,
    failedIndex: failed.length === 0 ? undefined : Math.min(...failed),
  };
}
