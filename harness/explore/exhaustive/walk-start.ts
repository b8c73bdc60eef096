/** Walks everything from one start of the second worker on, and counts. */
import type { FaultKind } from "../../faults/fault.ts";
import type { Bound, StartTally } from "./bound.ts";
import { startsOf, walkFrom } from "./walk.ts";

export interface WalkTask {
  readonly bound: Bound;
  /** Which of the starts. */
  readonly startIndex: number;
}

const PROGRESS_EACH = 500;

/**
 * Only safety is asked for: a message that is lost without a fault is none that a bound of liveness knows of.
 *
 * @param onProgress called now and then with how many schedules have been played since the last call.
 */
export function walkStart({ bound, startIndex }: WalkTask, onProgress: (count: number) => void): StartTally {
  const start = startsOf(bound)[startIndex];
  let scheduleCount = 0;
  let vacuousCount = 0;
  const faults: Partial<Record<FaultKind, number>> = {};
  if (start === undefined) return { scheduleCount, vacuousCount, faults, failed: undefined };
  for (const { plan, judged } of walkFrom(start, bound)) {
    scheduleCount += 1;
    if (judged.isVacuous) vacuousCount += 1;
    for (const { kind } of judged.applied) faults[kind] = (faults[kind] ?? 0) + 1;
    if (judged.finding?.kind === "unsafe") return { scheduleCount, vacuousCount, faults, failed: plan };
    if (scheduleCount % PROGRESS_EACH === 0) onProgress(PROGRESS_EACH);
  }
  return { scheduleCount, vacuousCount, faults, failed: undefined };
}
