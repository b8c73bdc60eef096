/**
 * S11. Everybody's clock is as good as can be asked, half a percent off: the nodes fast, the holder slow. With nothing
 * given up for drift the keys are gone before the holder stops believing, for one hundredth of the lifetime.
 *
 * Times with a TTL of 10 s: 0 W1 is granted; 9950 the keys expire; 9960 W2 is granted; 10048 W1's deadline on its slow
 * clock. With a TTL of 1 s the gap is 8 ms, which takes a rival that spins: rare, and real. The longer lifetime
 * makes it wide enough to be met each time. With a drift of 1 % W1's deadline comes at 9947.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import type { NamedFault } from "../../harness/scenario/story-parts.ts";
import { earlyExpiryStory } from "./early-expiry-story.ts";

const FAST_RATE = 1.005;
const SLOW_RATE = 0.995;
const WRITE_BEFORE_DEADLINE_MS = 40;
const RIVAL_LINGER_MS = 100;
const TTL_MIN_MS = 10_000;

function smallDriftStory(settings: LabSettings): Story {
  const fastNodes = nodeNames(settings.nodeCount).map(
    (node): NamedFault => [`skew-${node.toLowerCase()}`, { kind: "skew-clock", node, rate: FAST_RATE }],
  );
  return earlyExpiryStory(settings, {
    scenario: "S11",
    ttlMinMs: TTL_MIN_MS,
    skews: [["skew-w1", { kind: "skew-worker-clock", worker: "W1", rate: SLOW_RATE }], ...fastNodes],
    fastRate: FAST_RATE,
    writeBeforeDeadlineMs: WRITE_BEFORE_DEADLINE_MS,
    rivalLingerMs: RIVAL_LINGER_MS,
    limitMs: 3 * settings.ttlMs,
  });
}

const BOTH = { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" } as const;

export const driftTooSmall = defineScenario({
  id: "S11",
  title: "Drift too small for good clocks",
  summary:
    "The nodes' clocks are half a percent fast and W1's half a percent slow. Without drift its keys are gone before its deadline.",
  settings: { ttlMs: TTL_MIN_MS },
  story: smallDriftStory,
  variants: [
    { name: "plain", summary: "A drift of 1 % covers two clocks that are half a percent off.", expect: {} },
    {
      name: "no-drift",
      summary: "The drift factor is set to 0: W2 is let in while W1 believes.",
      settings: { driftFactor: 0 },
      expect: BOTH,
    },
    {
      name: "drift-zero",
      summary: "The lock does not care what drift it was given.",
      settings: { driftFactor: 0.001 },
      strategy: "mutant:drift-zero",
      expect: BOTH,
    },
  ],
});
