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
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";

const FAST_RATE = 1.005;
const SLOW_RATE = 0.995;
const RIVAL_AFTER_MS = 2;
/** W1 writes so long before its deadline: when W2 has written, where W2 was let in. */
const WRITE_BEFORE_DEADLINE_MS = 40;
const RIVAL_LINGER_MS = 100;
const TTL_MIN_MS = 10_000;

function smallDriftStory(settings: LabSettings): Story {
  requireTtl(settings, "S11", TTL_MIN_MS);
  const { nodeCount, ttlMs, driftFactor } = settings;
  const skews = planInTurn([
    ["skew-w1", { kind: "skew-worker-clock", worker: "W1", rate: SLOW_RATE }],
    ...nodeNames(nodeCount).map(
      (node) => [`skew-${node.toLowerCase()}`, { kind: "skew-clock", node, rate: FAST_RATE }] as const,
    ),
  ]);
  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(skews),
        workMs: ttlMs - Math.ceil(ttlMs * driftFactor) - WRITE_BEFORE_DEADLINE_MS,
      }),
      planWorker("W2", settings, {
        startWhen: after(
          { kind: "acquire-granted", worker: "W1" },
          Math.ceil(ttlMs / FAST_RATE) + RIVAL_AFTER_MS,
        ),
        waitMs: ttlMs,
        workMs: 0,
        lingerMs: RIVAL_LINGER_MS,
      }),
    ],
    faults: skews,
    staging: [],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(skews),
        { kind: "acquire-granted", worker: "W1" },
        { kind: "acquire-granted", worker: "W2" },
      ],
    },
    limitMs: 3 * ttlMs,
  };
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
