/**
 * S25. A release that arrives late: the lock has expired meanwhile and somebody else has it. A delete that compares
 * finds a value that is not its own. One that does not compare takes the lock from W2, and W3 walks in.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 110 it releases, and its deletes take 1000 ms; 1010 W2 is granted;
 * 1112 the deletes arrive; 1130 W3 comes by, and W2 believes until 1998.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, granted } from "../../harness/scenario/story-parts.ts";
import { lateDeleteStory } from "./late-delete-story.ts";

const HOLDER_WORK_MS = 100;
const RIVAL_AFTER_MS = 20;
const RIVAL_WAIT_MS = 60;
/** W3 comes so long after W1's deletes have arrived. */
const THIRD_AFTER_MS = 20;

function lateReleaseStory(settings: LabSettings): Story {
  const { nodeCount, ttlMs } = settings;
  return lateDeleteStory(settings, {
    scenario: "S25",
    holderWorkMs: HOLDER_WORK_MS,
    rivalAfterMs: RIVAL_AFTER_MS,
    rivalWaitMs: RIVAL_WAIT_MS,
    thirdAfterMs: ttlMs + THIRD_AFTER_MS,
    faults: [
      {
        id: "slow-release",
        when: after(granted("W1")),
        fault: {
          kind: "slow-link",
          workers: ["W1"],
          nodes: nodeNames(nodeCount),
          direction: "request",
          latencyMs: ttlMs,
        },
      },
    ],
    shown: [{ kind: "release-returned", worker: "W1" }],
  });
}

export const plainDelete = defineScenario({
  id: "S25",
  title: "Release that does not compare",
  summary:
    "W1's release arrives when its lock has expired and W2 has it. A delete that does not compare lets W3 in beside W2.",
  aliases: [
    {
      name: "antirez-plain-del",
      source: "Redis documentation, distributed locks: why a release compares the value",
    },
  ],
  story: lateReleaseStory,
  variants: [
    { name: "plain", summary: "The delete compares, and W3 waits until W2 lets go.", expect: {} },
    {
      name: "plain-del",
      summary: "DEL deletes what W2 has, and W3 believes beside it.",
      strategy: "mutant:plain-del",
      expect: {
        declared: "invalid",
        actual: "invalid",
        danger: "invalid",
        stale: "invalid",
        hygiene: "invalid",
      },
    },
  ],
});
