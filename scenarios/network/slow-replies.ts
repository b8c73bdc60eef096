/** The replies to W1 are slow, from the start of the run on, and W2 comes by when the keys of W1 have expired. */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import type { NodeName } from "../../harness/history/event.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { after, applied, at, planWorker } from "../../harness/scenario/story-parts.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";

const RIVAL_AFTER_MS = 10;
/** W2 is asked for a second time if it came a little early. */
const RIVAL_WAIT_MS = 100;
const RIVAL_WORK_MS = 30;

export function slowReplies(nodes: readonly NodeName[], latencyMs: number): PlannedFault {
  return {
    id: "slow-replies",
    when: at(0),
    fault: { kind: "slow-link", workers: ["W1"], nodes, direction: "reply", latencyMs },
  };
}

/** @param holder what W1 does when it is granted. */
export function slowRepliesCast(
  settings: LabSettings,
  { holder, rivalLingerMs }: { readonly holder: Partial<WorkerPlan>; readonly rivalLingerMs: number },
): readonly WorkerPlan[] {
  return [
    planWorker("W1", settings, {
      startWhen: after(applied("slow-replies")),
      ...holder,
    }),
    planWorker("W2", settings, {
      startWhen: after({ kind: "acquire-invoked", worker: "W1" }, settings.ttlMs + RIVAL_AFTER_MS),
      waitMs: RIVAL_WAIT_MS,
      workMs: RIVAL_WORK_MS,
      lingerMs: rivalLingerMs,
    }),
  ];
}
