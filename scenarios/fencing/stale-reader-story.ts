/**
 * A holder is paused and a rival acquires and begins its work on the resource; the holder goes on and writes before
 * the rival does. Told by S41, where both read first, and by S42, where both stamp the resource first.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted and stopped; 1100 W2 is granted and reads, or stamps; 1250 W1 goes on
 * and writes; 1700 W2 writes.
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import type { Trigger } from "../../harness/faults/trigger.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";

const RIVAL_AFTER_MS = 100;
const HOLDER_WORK_MS = 50;
/** W1 goes on when W2 has begun, and writes long before W2 does. */
const RESUMES_AFTER_RIVAL_MS = 150;
const RIVAL_WORK_MS = 600;

const TTL_MIN_MS = 200;

export interface StaleReader {
  readonly scenario: string;
  /** What both workers do on entering. */
  readonly habit: Partial<WorkerPlan>;
  readonly pauseWhen: Trigger;
  /** What shows that W2 had begun when W1 went on. */
  readonly begun: EventPattern;
}

export function staleReaderStory(settings: LabSettings, told: StaleReader): Story {
  const { scenario, habit, pauseWhen, begun } = told;
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { ttlMs } = settings;
  const pauseMs = ttlMs + RIVAL_AFTER_MS + RESUMES_AFTER_RIVAL_MS;

  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: HOLDER_WORK_MS, ...habit }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-paused", worker: "W1" }, ttlMs + RIVAL_AFTER_MS),
        workMs: RIVAL_WORK_MS,
        ...habit,
      }),
    ],
    faults: [
      { id: "pause-w1", when: pauseWhen, fault: { kind: "pause-worker", worker: "W1", forMs: pauseMs } },
    ],
    staging: [
      inOrder(begun, { kind: "worker-resumed", worker: "W1" }),
      inOrder({ kind: "write-judged", worker: "W1" }, { kind: "write-judged", worker: "W2" }),
    ],
    demands: {
      contention: true,
      events: [applied("pause-w1"), begun],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}
