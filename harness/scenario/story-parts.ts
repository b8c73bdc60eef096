/** Small parts from which stories are put together, the laboratory's and a user's own. */
import type { EventPattern } from "../faults/event-pattern.ts";
import type { Fault, PlannedFault } from "../faults/fault.ts";
import type { Trigger } from "../faults/trigger.ts";
import type { WorkerId } from "../history/event.ts";
import { WORKER_DEFAULTS, type WorkerPlan } from "../workload/worker-plan.ts";
import type { LabSettings } from "./lab-settings.ts";
import type { StagingCondition } from "./run-plan.ts";

export type NamedFault = readonly [id: string, fault: Fault];

/** A time of the run. */
export const at = (atMs: number): Trigger => ({ kind: "at", atMs });

/** `delayMs` after the first event that matches. */
export const after = (event: EventPattern, delayMs = 0): Trigger => ({ kind: "after", event, delayMs });

/** The worker was granted the lock. */
export const granted = (worker: WorkerId): EventPattern => ({ kind: "acquire-granted", worker });

/** The fault was applied. */
export const applied = (fault: string): EventPattern => ({ kind: "fault-applied", fault });

/** Demands of the staging that the one came before the other. */
export const inOrder = (earlier: EventPattern, later: EventPattern): StagingCondition => ({
  kind: "order",
  earlier,
  later,
});

/** A worker as the settings have it, with what is named. */
export function planWorker(
  id: WorkerId,
  { ttlMs, checkBeforeWrite }: LabSettings,
  plan: Partial<WorkerPlan> & Pick<WorkerPlan, "startWhen">,
): WorkerPlan {
  // Spread twice, every plan would have a shape of its own, and reading it in a run would take ten times as long.
  return Object.assign({ ...WORKER_DEFAULTS, id, ttlMs, checkBeforeWrite }, plan);
}

/**
 * Faults that are applied one after the other from the start of the run on, each when the one before it holds:
 * so that who waits for the last finds all of them in place.
 */
export function planInTurn(faults: readonly NamedFault[]): readonly PlannedFault[] {
  return faults.map(([id, fault], index) => {
    const before = faults[index - 1];
    return {
      id,
      when: before === undefined ? at(0) : after(applied(before[0])),
      fault,
    };
  });
}

/** When the last of the faults holds; the start of the run where there is none. */
export function whenAllHold(faults: readonly PlannedFault[]): Trigger {
  const last = faults.at(-1);
  return last === undefined ? at(0) : after(applied(last.id));
}

/** Demands that each of the faults was applied. */
export function appliedEvents(faults: readonly PlannedFault[]): readonly EventPattern[] {
  return faults.map(({ id }) => applied(id));
}
