/**
 * So many nodes do not answer for a while that no quorum is left. W1 and W2 go on asking until long after, in calls
 * that are short enough for several to end in that time. Told by S20 (out of reach) and S43 (standing still).
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import type { NodeName } from "../../harness/history/event.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  granted,
  inOrder,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";

const WAIT_SHARE = 0.3;
/** Longer than the lab takes to notice that a node is back: see the staging. */
const WORK_MS = 100;
const SECOND_AFTER_MS = 30;

/** The smallest set of nodes without which there is no quorum. */
export const blockingNodes = ({ nodeCount, quorum }: LabSettings): readonly NodeName[] =>
  nodeNames(nodeCount).slice(0, nodeCount - quorum + 1);

export interface NoQuorum {
  readonly faults: readonly PlannedFault[];
  /** For how many lifetimes there is no quorum. */
  readonly lastsTtls: number;
  /** What shows that the nodes are back. */
  readonly back: EventPattern;
  /** What else has to come about. */
  readonly shown?: readonly EventPattern[];
  readonly limitMs: number;
}

export function noQuorumStory(settings: LabSettings, told: NoQuorum): Story {
  const { faults, lastsTtls, back, shown = [], limitMs } = told;
  const plan = {
    waitMs: Math.round(settings.ttlMs * WAIT_SHARE),
    // Enough to outlast it three times over.
    acquireCount: Math.ceil((3 * lastsTtls) / WAIT_SHARE),
    workMs: WORK_MS,
  };

  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold(faults), ...plan }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-started", worker: "W1" }, SECOND_AFTER_MS),
        ...plan,
      }),
    ],
    faults,
    staging: [
      // The write and not the grant: a worker can reach a node a little before the lab knows that it is back.
      inOrder(back, { kind: "write-invoked" }),
    ],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        ...shown,
        { kind: "acquire-failed", worker: "W1" },
        { kind: "acquire-failed", worker: "W2" },
        granted("W1"),
        granted("W2"),
      ],
    },
    limitMs,
  };
}
