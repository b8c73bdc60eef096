/**
 * S10. The wall clocks of a majority run fast: keys expire before the holder stops believing. What is given up of each
 * lifetime for clocks that run apart (the drift) covers so much and no more.
 *
 * Times with a TTL of 3000 ms and clocks that are 5 % fast: 0 W1 is granted until 2968; 2859 its keys expire on A, B and
 * C; 2865 W2 asks and is granted. With a TTL of 1000 ms the gap is 34 ms, which a busy machine misses.
 *
 * With the usual drift of 1 % all is well up to 1.07 % (the drift over what is left of the lifetime), and so it is with a
 * drift that covers the 5 %.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { majorityOf } from "../../harness/scenario/settings-rules.ts";
import { earlyExpiryStory } from "./early-expiry-story.ts";

const FAST_RATE = 1.05;
/** Below 1.0107, where the usual drift ends. */
const COVERED_RATE = 1.01;
/** W2 has written by then. */
const WRITE_BEFORE_DEADLINE_MS = 14;
const RIVAL_LINGER_MS = 50;
/** Room for the round trips of both between the keys' end and the deadline. */
const TTL_MIN_MS = 1000;
const TTL_MS = 3000;

function fastClocksStory(settings: LabSettings, rate: number): Story {
  const { nodeCount, ttlMs } = settings;
  const fast = nodeNames(nodeCount).slice(0, majorityOf(nodeCount));
  return earlyExpiryStory(settings, {
    scenario: "S10",
    ttlMinMs: TTL_MIN_MS,
    skews: fast.map((node) => [`skew-${node.toLowerCase()}`, { kind: "skew-clock", node, rate }]),
    fastRate: rate,
    writeBeforeDeadlineMs: WRITE_BEFORE_DEADLINE_MS,
    rivalLingerMs: RIVAL_LINGER_MS,
    limitMs: 4 * ttlMs + 2000,
  });
}

export const fastNodeClocks = defineScenario({
  id: "S10",
  title: "Node clocks that run fast",
  summary:
    "The clocks of A, B and C run 5 % fast: W1's keys expire while it believes, and W2 acquires there.",
  settings: { ttlMs: TTL_MS },
  story: (settings) => fastClocksStory(settings, FAST_RATE),
  variants: [
    {
      name: "plain",
      summary: "1 % is given up for drift, and the clocks are 5 % fast.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "within-drift",
      summary: "The clocks are 1 % fast, and that is what is given up for drift.",
      story: (settings) => fastClocksStory(settings, COVERED_RATE),
      expect: {},
    },
    {
      name: "drift-6-percent",
      summary: "6 % are given up for drift: W1 is done before the first key expires.",
      settings: { driftFactor: 0.06 },
      expect: {},
    },
  ],
});
