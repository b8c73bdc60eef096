/**
 * W1's deletes arrive when its lock has expired and W2 has it. A delete that takes whatever it finds takes the lock
 * from W2, and W3 walks in while W2 believes. Told by S25 (it does not compare) and S26 (it compared too early).
 *
 * W2 writes last, long after W3 has had the time to be granted and to write; W3 still believes then.
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  at,
  granted,
  inOrder,
  planWorker,
} from "../../harness/scenario/story-parts.ts";

const RIVAL_WORK_SHARE = 0.6;
const THIRD_LINGER_SHARE = 0.6;
const TTL_MIN_MS = 600;

export interface LateDelete {
  readonly scenario: string;
  readonly holderWorkMs: number;
  /** W2 comes so long after W1's keys have expired. */
  readonly rivalAfterMs: number;
  /** W2 is asked for a second time if it came a little early. */
  readonly rivalWaitMs: number;
  /** W3 comes so long after W1's release began: when the deletes have arrived. */
  readonly thirdAfterMs: number;
  readonly faults?: readonly PlannedFault[];
  /** What else has to come about. */
  readonly shown?: readonly EventPattern[];
}

export function lateDeleteStory(settings: LabSettings, told: LateDelete): Story {
  const { scenario, rivalAfterMs, rivalWaitMs, thirdAfterMs, faults = [], shown = [] } = told;
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { ttlMs } = settings;

  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: told.holderWorkMs }),
      planWorker("W2", settings, {
        startWhen: after(granted("W1"), ttlMs + rivalAfterMs),
        waitMs: rivalWaitMs,
        workMs: Math.round(ttlMs * RIVAL_WORK_SHARE),
      }),
      planWorker("W3", settings, {
        startWhen: after({ kind: "release-invoked", worker: "W1" }, thirdAfterMs),
        waitMs: 2 * ttlMs,
        lingerMs: Math.round(ttlMs * THIRD_LINGER_SHARE),
      }),
    ],
    faults,
    staging: [inOrder(granted("W2"), { kind: "acquire-invoked", worker: "W3" })],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), ...shown, granted("W2"), granted("W3")],
    },
    limitMs: 6 * ttlMs + 2000,
  };
}
