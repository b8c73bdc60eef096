/**
 * Two workers on the two sides of a partition meet on one node, and that node forgets its key without having been
 * restarted. Told by S07 (its clock jumps), S37 (a replica takes over), S44 (evicted) and S45 (emptied, deleted,
 * exchanged).
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted by A, B, C; 50 C forgets; 60 W2 asks C, D, E; 600 W1 writes.
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import type { Fault } from "../../harness/faults/fault.ts";
import type { NodeName } from "../../harness/history/event.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";
import {
  after,
  applied,
  appliedEvents,
  granted,
  type NamedFault,
  planInTurn,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { lateWriterCast } from "../late-writer-cast.ts";
import { splitStaging } from "../split-staging.ts";

const LOSS_AFTER_MS = 50;
const RIVAL_AFTER_MS = 10;
const HOLDER_WORK_SHARE = 0.6;

/** Both workers have to be granted and to write within W1's lifetime. */
const TTL_MIN_MS = 500;

export interface Amnesia {
  readonly scenario: string;
  /** How the node loses the key. */
  readonly loss: (node: NodeName) => Fault;
  /** What the story calls the loss; default: `loss`. */
  readonly lossId?: string;
  /** What shows that it has come about; default: that the fault was applied. */
  readonly shown?: (node: NodeName) => EventPattern;
  /** What has to be in place before W1 starts. */
  readonly preparations?: (node: NodeName) => readonly NamedFault[];
  /** False where the key is still there afterwards; the restart guard, where it is on, sees what it can see. */
  readonly forgets: boolean;
}

export function sharedNodeForgetsStory(settings: LabSettings, amnesia: Amnesia): Story {
  const { scenario, loss, lossId = "loss", preparations = () => [], forgets } = amnesia;
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { ttlMs } = settings;
  const lost: EventPattern = applied(lossId);
  const { first, shared, sharedCount, cuts } = splitQuorums(settings);
  const prepared = planInTurn([...preparations(shared), ...cuts]);

  return {
    workers: lateWriterCast(settings, {
      holderStart: whenAllHold(prepared),
      workShare: HOLDER_WORK_SHARE,
      rivalStart: after(lost, RIVAL_AFTER_MS),
    }),
    faults: [
      ...prepared,
      {
        id: lossId,
        when: after(granted("W1"), LOSS_AFTER_MS),
        fault: loss(shared),
      },
    ],
    staging: splitStaging(first, { bothWin: sharedCount === 1 && forgets && !settings.restartGuard }),
    demands: {
      contention: true,
      events: [...appliedEvents(prepared), amnesia.shown?.(shared) ?? lost, granted("W2")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}
