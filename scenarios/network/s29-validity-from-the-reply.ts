/**
 * S29. The replies take long, and the lifetime is counted from when they have come instead of from before the first
 * command left. The nodes count from when they set the key; W1 goes on believing for as long as the replies took.
 *
 * Times with a TTL of 1000 ms: 0 W1 asks; 2 the keys are set; 404 the replies are there, with 584 ms left for who
 * counted rightly; 1002 the keys expire; 1010 W2 is granted, while the mutant believes until 1392.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { slowRepliesStory } from "./slow-replies-story.ts";

const REPLY_SHARE = 0.4;
const RIVAL_LINGER_SHARE = 0.5;
/** Ends within what is left of the lifetime. */
const WORK_SHARE = 0.4;
/** Ends within what seems to be left to who counts from the replies, and after W2 has written. */
const LONG_WORK_SHARE = 0.9;

const tellWith =
  (workShare: number) =>
  (settings: LabSettings): Story =>
    slowRepliesStory(settings, {
      scenario: "S29",
      latencyMs: Math.round(settings.ttlMs * REPLY_SHARE),
      workMs: Math.round(settings.ttlMs * workShare),
      rivalLingerMs: Math.round(settings.ttlMs * RIVAL_LINGER_SHARE),
    });

export const validityFromTheReply = defineScenario({
  id: "S29",
  title: "Validity counted from the replies",
  summary: "W1's replies take 400 ms. A lifetime that is counted from them outlasts the keys by as much.",
  settings: { nodeTimeoutMs: 2000 },
  story: tellWith(WORK_SHARE),
  variants: [
    { name: "plain", summary: "W1 counts from before its first command, and is done in time.", expect: {} },
    {
      name: "start-after-quorum",
      summary: "W1 counts from its quorum, works for as long as it seems to have, and W2 comes in.",
      strategy: "mutant:start-after-quorum",
      story: tellWith(LONG_WORK_SHARE),
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
  ],
});
