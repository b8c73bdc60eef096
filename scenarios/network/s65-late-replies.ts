/**
 * S65. The OK for an attempt that was given up and undone arrives during the next attempt. Every reply carries the id
 * of its command, so it changes what is known of the old attempt and decides nothing in the new one. Who counts it
 * believes in nodes that have given their vote to somebody else since.
 *
 * Times: 0 W1 asks, C, D and E answer late; 50 the round is over; 52 the undo runs, and W2 takes C, D, E; 70 W1 asks
 * again and gets A and B; 89 the late answers arrive.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  granted,
  inOrder,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";

const LATE_BY_MS = 85;
/** The first answers are late, and those to the next attempts are not. */
const SLOW_FOR_MS = 110;
const RIVAL_LINGER_SHARE = 0.3;

const TTL_MIN_MS = 500;

function lateRepliesStory(settings: LabSettings): Story {
  requireTtl(settings, "S65", TTL_MIN_MS);
  const { nodeCount, ttlMs } = settings;
  const { last, cuts } = splitQuorums(settings);
  const [lastNode = "A"] = nodeNames(nodeCount).slice(-1);
  const faults: readonly PlannedFault[] = planInTurn([
    ...cuts.filter(([id]) => id === "cut-w2"),
    [
      "late",
      {
        kind: "slow-link",
        workers: ["W1"],
        nodes: last,
        direction: "reply",
        latencyMs: LATE_BY_MS,
        forMs: SLOW_FOR_MS,
      },
    ],
  ]);

  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold(faults), waitMs: 2 * ttlMs }),
      planWorker("W2", settings, {
        // By then the undo has freed this node.
        startWhen: after({ kind: "key-deleted", node: lastNode }),
        lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
      }),
    ],
    faults,
    staging: [inOrder(granted("W2"), granted("W1"))],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), granted("W2")],
    },
    limitMs: 5 * ttlMs + 3000,
  };
}

export const lateReplies = defineScenario({
  id: "S65",
  title: "Late replies",
  summary:
    "The nodes' OK to W1's first attempt arrives during its second, when W2 holds the lock on these nodes. It does not count.",
  // The whole pause: W2 is granted before W1's second attempt.
  settings: { retryJitter: 0 },
  story: lateRepliesStory,
  variants: [
    { name: "plain", summary: "A reply counts for the command that it answers.", expect: {} },
    {
      name: "count-late-replies",
      summary: "A reply counts whatever it answers: both believe at once.",
      strategy: "mutant:count-late-replies",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
    },
  ],
});
