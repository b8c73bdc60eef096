/**
 * An extension a moment before the deadline reaches one node of the quorum in time and the others when their keys
 * have gone: it is not renewed, and the holder's belief is over at its old deadline. Told by S30, and by S47 of a
 * holder that then asks a replica instead of its deadline.
 *
 * Times with a TTL of 1000 ms: 960 W1 extends; 962 A is renewed until 1962; 988 the deadline; 1003 B and C expire;
 * 1010 W2 is granted by B, C, D, E; 1022 the extension reaches B and C.
 */
import { deadlineOf } from "../../src/core/validity.ts";
import { UsageError } from "../../harness/lab-error.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  granted,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";

const EXTEND_BEFORE_DEADLINE_MS = 28;
/** How long after the keys have gone the extension arrives. */
const LATE_BY_MS = 20;
/** W2 comes by when the keys that were not renewed have gone. */
const RIVAL_AFTER_TTL_MS = 5;
const SLOW_AFTER_SHARE = 0.5;

const TTL_MIN_MS = 300;

export interface EdgeStory {
  readonly scenario: string;
  /** What W1 does once it has extended, or failed to. */
  readonly holder: Partial<WorkerPlan>;
  readonly moreFaults?: readonly PlannedFault[];
}

export function edgeStory(settings: LabSettings, { scenario, holder, moreFaults = [] }: EdgeStory): Story {
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs, driftFactor } = settings;
  if (quorum === 1 || quorum === nodeCount) {
    throw new UsageError(`${scenario} needs a quorum of more than one node that leaves one out.`);
  }
  const deadlineMs = deadlineOf({ startedAtMs: 0, ttlMs, driftFactor });
  const faults = lateFaults(settings, ttlMs - deadlineMs + EXTEND_BEFORE_DEADLINE_MS + LATE_BY_MS);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(faults.slice(0, 1)),
        // It was granted some milliseconds after its round had started, from which the deadline counts.
        workMs: Math.floor(deadlineMs - EXTEND_BEFORE_DEADLINE_MS - 4),
        extendMs: ttlMs,
        ...holder,
      }),
      planWorker("W2", settings, {
        startWhen: after(granted("W1"), ttlMs + RIVAL_AFTER_TTL_MS),
        waitMs: Math.round(ttlMs / 2),
        lingerMs: Math.round(ttlMs / 2),
      }),
    ],
    faults: [...faults, ...moreFaults],
    staging: [{ kind: "granted-by", worker: "W1", nodes: nodeNames(nodeCount).slice(0, quorum) }],
    demands: {
      contention: true,
      events: [
        ...appliedEvents([...faults, ...moreFaults]),
        { kind: "key-raised", node: "A" },
        granted("W2"),
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

/** W1 reaches a bare quorum; of that, all but A get its extension late. */
function lateFaults({ nodeCount, quorum, ttlMs }: LabSettings, latencyMs: number): readonly PlannedFault[] {
  const nodes = nodeNames(nodeCount);
  return [
    {
      id: "cut-w1",
      when: { kind: "at", atMs: 0 },
      fault: { kind: "cut-link", workers: ["W1"], nodes: nodes.slice(quorum), how: "lose" },
    },
    {
      id: "late",
      when: after(granted("W1"), Math.round(ttlMs * SLOW_AFTER_SHARE)),
      fault: {
        kind: "slow-link",
        workers: ["W1"],
        nodes: nodes.slice(1, quorum),
        direction: "request",
        latencyMs: Math.ceil(latencyMs),
      },
    },
  ];
}
