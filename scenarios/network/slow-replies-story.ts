/**
 * W1 is granted by replies that take long, and what it takes for the rest of its lifetime may be more than the rest.
 * Told by S12 (its wall clock is set back meanwhile) and S29 (it counts from the replies).
 *
 * Times with a TTL of 1000 ms: 0 W1 asks; 2 the keys are set; then the replies are there; 1002 the keys expire; 1010
 * W2 is granted.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { appliedEvents, granted } from "../../harness/scenario/story-parts.ts";
import { slowReplies, slowRepliesCast } from "./slow-replies.ts";

const TTL_MIN_MS = 600;

export interface SlowReplies {
  readonly scenario: string;
  readonly latencyMs: number;
  /** How long W1 works before it writes. */
  readonly workMs: number;
  /** W2 is there when W1 writes, where W1 works on. */
  readonly rivalLingerMs: number;
  readonly moreFaults?: readonly PlannedFault[];
}

export function slowRepliesStory(settings: LabSettings, told: SlowReplies): Story {
  const { scenario, latencyMs, workMs, rivalLingerMs, moreFaults = [] } = told;
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { nodeCount, ttlMs } = settings;
  const faults = [slowReplies(nodeNames(nodeCount), latencyMs), ...moreFaults];

  return {
    workers: slowRepliesCast(settings, { holder: { workMs }, rivalLingerMs }),
    faults,
    staging: [],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), granted("W1"), granted("W2")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}
