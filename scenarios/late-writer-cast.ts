/**
 * The cast of the stories in which two believe at once: W1 writes last and within its lifetime, long after W2 has had
 * the time to connect again, to be granted and to write; and W2 still believes when W1 lets go.
 */
import type { Trigger } from "../harness/faults/trigger.ts";
import type { LabSettings } from "../harness/scenario/lab-settings.ts";
import { planWorker } from "../harness/scenario/story-parts.ts";
import type { WorkerPlan } from "../harness/workload/worker-plan.ts";

const RIVAL_LINGER_SHARE = 0.6;

export interface LateWriter {
  readonly holderStart: Trigger;
  /** The share of its lifetime after which W1 writes. */
  readonly workShare: number;
  readonly rivalStart: Trigger;
  /** How much longer than two lifetimes W2 goes on asking. */
  readonly rivalWaitsLongerMs?: number;
}

export function lateWriterCast(
  settings: LabSettings,
  { holderStart, workShare, rivalStart, rivalWaitsLongerMs = 0 }: LateWriter,
): readonly WorkerPlan[] {
  const { ttlMs } = settings;
  return [
    planWorker("W1", settings, { startWhen: holderStart, workMs: Math.round(ttlMs * workShare) }),
    planWorker("W2", settings, {
      startWhen: rivalStart,
      waitMs: 2 * ttlMs + rivalWaitsLongerMs,
      lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
    }),
  ];
}
