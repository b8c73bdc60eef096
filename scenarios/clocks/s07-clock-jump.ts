/**
 * S07. Two workers on the two sides of a partition meet on one node, and that node's wall clock is stepped forward
 * (an administrator, a time server): Redis expires the key by the wall clock, and the node votes a second time.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted by A, B, C; 50 C's clock +2000; 60 W2 is granted by C, D, E and
 * writes at 110; 600 W1 writes. Both believe from 60 until W1 lets go.
 *
 * A quorum of four leaves three nodes in common, of which one may forget. Fencing protects the resource and not
 * the lock. Nothing but clocks that are never stepped protects a bare majority.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";
import {
  after,
  appliedEvents,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { splitStaging } from "../split-staging.ts";

const JUMP_AFTER_MS = 50;
const RIVAL_AFTER_MS = 10;
/** W1 writes last, long after W2 has had the time to be granted and to write. */
const HOLDER_WORK_SHARE = 0.6;
/** W2 still believes when W1 lets go. */
const RIVAL_LINGER_SHARE = 0.6;

/** Both workers have to be granted and to write within W1's lifetime. */
const TTL_MIN_MS = 500;

function clockJumpStory(settings: LabSettings): Story {
  requireTtl(settings, "S07", TTL_MIN_MS);
  const { ttlMs } = settings;
  const { first, shared, sharedCount, cuts } = splitQuorums(settings);
  const partition = planInTurn(cuts);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(partition),
        workMs: Math.round(ttlMs * HOLDER_WORK_SHARE),
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "fault-applied", fault: "jump" }, RIVAL_AFTER_MS),
        waitMs: 2 * ttlMs,
        lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
      }),
    ],
    faults: [
      ...partition,
      {
        id: "jump",
        when: after({ kind: "acquire-granted", worker: "W1" }, JUMP_AFTER_MS),
        fault: { kind: "jump-clock", node: shared, byMs: 2 * ttlMs },
      },
    ],
    staging: splitStaging(first, { bothWin: sharedCount === 1 }),
    demands: {
      contention: true,
      events: [
        ...appliedEvents(partition),
        { kind: "clock-jumped", node: shared },
        { kind: "acquire-granted", worker: "W2" },
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const clockJump = defineScenario({
  id: "S07",
  title: "Clock jump on the node that two quorums share",
  summary:
    "W1 holds the lock on A, B and C. C's clock jumps forward, its key expires at once, and W2 acquires on C, D and E.",
  aliases: [
    {
      name: "kleppmann-clock-jump",
      source: 'Martin Kleppmann, "How to do distributed locking", 2016: the clock that jumps forward',
    },
  ],
  story: clockJumpStory,
  variants: [
    {
      name: "plain",
      summary: "One shared node, one jump: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "quorum-4",
      summary: "Four votes of five: three shared nodes, one may forget.",
      settings: { quorum: 4 },
      expect: {},
    },
    {
      name: "fenced",
      summary: "Both believe at once, and the resource refuses the older token.",
      settings: { fencing: true },
      expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
    },
  ],
});
