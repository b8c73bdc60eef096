/**
 * S29. The replies take long, and the lifetime is counted from when they have come instead of from before the first
 * command left. The nodes count from when they set the key; W1 goes on believing for as long as the replies took.
 *
 * Times with a TTL of 1000 ms: 0 W1 asks; 2 the keys are set; 404 the replies are there, with 584 ms left for who
 * counted rightly; 1002 the keys expire; 1010 W2 is granted, while the mutant believes until 1392.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, at, planWorker } from "../../harness/scenario/story-parts.ts";

const REPLY_SHARE = 0.4;
const RIVAL_AFTER_MS = 10;
/** W2 is asked for a second time if it came a little early. */
const RIVAL_WAIT_MS = 100;
const RIVAL_WORK_MS = 30;
/** W2 is there when W1 writes, where W1 works on. */
const RIVAL_LINGER_SHARE = 0.5;
/** Ends within what is left of the lifetime. */
const WORK_SHARE = 0.4;
/** Ends within what seems to be left to who counts from the replies, and after W2 has written. */
const LONG_WORK_SHARE = 0.9;
const TTL_MIN_MS = 600;

function slowRepliesStory(settings: LabSettings, workShare: number): Story {
  requireTtl(settings, "S29", TTL_MIN_MS);
  const { nodeCount, ttlMs } = settings;
  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: after({ kind: "fault-applied", fault: "slow-replies" }),
        workMs: Math.round(ttlMs * workShare),
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "acquire-invoked", worker: "W1" }, ttlMs + RIVAL_AFTER_MS),
        waitMs: RIVAL_WAIT_MS,
        workMs: RIVAL_WORK_MS,
        lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
      }),
    ],
    faults: [
      {
        id: "slow-replies",
        when: at(0),
        fault: {
          kind: "slow-link",
          workers: ["W1"],
          nodes: nodeNames(nodeCount),
          direction: "reply",
          latencyMs: Math.round(ttlMs * REPLY_SHARE),
        },
      },
    ],
    staging: [],
    demands: {
      contention: true,
      events: [
        { kind: "fault-applied", fault: "slow-replies" },
        { kind: "acquire-granted", worker: "W1" },
        { kind: "acquire-granted", worker: "W2" },
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const validityFromTheReply = defineScenario({
  id: "S29",
  title: "Validity counted from the replies",
  summary: "W1's replies take 400 ms. A lifetime that is counted from them outlasts the keys by as much.",
  settings: { nodeTimeoutMs: 2000 },
  story: (settings) => slowRepliesStory(settings, WORK_SHARE),
  variants: [
    { name: "plain", summary: "W1 counts from before its first command, and is done in time.", expect: {} },
    {
      name: "start-after-quorum",
      summary: "W1 counts from its quorum, works for as long as it seems to have, and W2 comes in.",
      strategy: "mutant:start-after-quorum",
      story: (settings) => slowRepliesStory(settings, LONG_WORK_SHARE),
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
  ],
});
