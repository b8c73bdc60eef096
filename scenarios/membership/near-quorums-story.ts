/**
 * Two workers ask at the same time, each of them near to one side: W1 to all but the last node of the first quorum,
 * W2 to the nodes of the last one. The shared node goes to W2. Told by S48 and S49, in which W1 counts fewer nodes
 * than W2 does.
 *
 * Times: 0 W1 asks; 2 it has A and B; 5 W2 asks; 7 it has C, D, E; 22 W1's command reaches C; 37 W2's A and B.
 */
import type { NodeName } from "../../harness/history/event.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { majorityOf } from "../../harness/scenario/settings-rules.ts";
import { UsageError } from "../../harness/lab-error.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  granted,
  type NamedFault,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";

const FAR_FROM_SHARED_MS = 20;
const FAR_FROM_FIRST_MS = 30;
const RIVAL_AFTER_MS = 5;
/** W1 writes last, while both may believe. */
const HOLDER_WORK_SHARE = 0.3;
const RIVAL_LINGER_SHARE = 0.5;

const TTL_MIN_MS = 300;

export interface NearQuorums {
  readonly scenario: string;
  /** What else keeps W1 from the other side. */
  readonly cuts: readonly NamedFault[];
  readonly holder: Partial<WorkerPlan>;
}

export function nearQuorumsStory(settings: LabSettings, { scenario, cuts, holder }: NearQuorums): Story {
  requireTtl(settings, scenario, TTL_MIN_MS);
  requireApart(settings, scenario);
  const { ttlMs } = settings;
  const { near, shared } = sidesOf(settings);
  const far = (worker: string, nodes: readonly NodeName[], latencyMs: number): NamedFault => [
    `far-${worker.toLowerCase()}`,
    { kind: "slow-link", workers: [worker], nodes, direction: "request", latencyMs },
  ];
  const faults = planInTurn([
    ...cuts,
    far("W1", [shared], FAR_FROM_SHARED_MS),
    far("W2", near, FAR_FROM_FIRST_MS),
  ]);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(faults),
        workMs: Math.round(ttlMs * HOLDER_WORK_SHARE),
        ...holder,
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "acquire-invoked", worker: "W1" }, RIVAL_AFTER_MS),
        waitMs: 2 * ttlMs,
        lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
      }),
    ],
    faults,
    staging: [],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), granted("W2")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

/** A majority of the first quorum and the last quorum share no node, or there is nothing to tell. */
function requireApart({ nodeCount, quorum }: LabSettings, scenario: string): void {
  if (majorityOf(quorum) + quorum > nodeCount) {
    throw new UsageError(
      `${scenario} needs a quorum that leaves out a majority of another, which ${quorum} of ${nodeCount} does not.`,
    );
  }
}

/** The first quorum: the nodes that W1 is near to, and the one that it shares with the last quorum. */
export function sidesOf({ nodeCount, quorum }: LabSettings): {
  readonly near: readonly NodeName[];
  readonly shared: NodeName;
  readonly beyond: readonly NodeName[];
} {
  const nodes = nodeNames(nodeCount);
  const [shared] = nodes.slice(quorum - 1);
  if (shared === undefined) throw new Error("a quorum is at most all nodes");
  // Where all nodes are needed nobody is beyond.
  return { near: nodes.slice(0, Math.max(1, quorum - 1)), shared, beyond: nodes.slice(quorum) };
}
