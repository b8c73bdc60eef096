/**
 * A lock on one master, A, whose replicas get what it has a little later. A dies while W1 holds the lock, a replica
 * takes over, and W2 asks that one. Told by S35 (nobody waits for replicas) and S36 (WAIT for one of them).
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; A fails over; from then on W2 asks; 600 W1 writes and lets go.
 */
import type { Trigger } from "../../harness/faults/trigger.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { UsageError } from "../../harness/lab-error.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  applied,
  appliedEvents,
  granted,
  inOrder,
  type NamedFault,
  planInTurn,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { lateWriterCast } from "../late-writer-cast.ts";

export const MASTER = "A";

const RIVAL_AFTER_MS = 10;
const HOLDER_WORK_SHARE = 0.6;

/** The fail-over, and both workers' grants and writes, have to fit into W1's lifetime. */
const TTL_MIN_MS = 500;

/** @throws UsageError where there is more than the one master that the strategy on trial is about. */
export function requireOneMaster({ nodeCount }: LabSettings, scenario: string): void {
  if (nodeCount !== 1) {
    throw new UsageError(`${scenario} is told of one master in this variant, not of ${nodeCount}.`);
  }
}

export interface FailOver {
  readonly scenario: string;
  readonly when: Trigger;
  /** The replica that is promoted; counted from 1. */
  readonly replica: number;
  readonly preparations: readonly NamedFault[];
}

export function oneMasterStory(settings: LabSettings, failOver: FailOver): Story {
  const { scenario, when, replica, preparations } = failOver;
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { ttlMs } = settings;
  const prepared = planInTurn(preparations);

  return {
    workers: lateWriterCast(settings, {
      holderStart: whenAllHold(prepared),
      workShare: HOLDER_WORK_SHARE,
      rivalStart: after(applied("fail-over"), RIVAL_AFTER_MS),
    }),
    faults: [...prepared, { id: "fail-over", when, fault: { kind: "fail-over", node: MASTER, replica } }],
    staging: [inOrder(granted("W1"), { kind: "acquire-invoked", worker: "W2" })],
    demands: {
      contention: true,
      events: [...appliedEvents(prepared), applied("fail-over"), granted("W1"), granted("W2")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}
