/**
 * S54. A client far away, with node timeouts to match. What the round takes comes off the lifetime: with 600 ms there
 * and back, some 390 of 1000 are left. With 1000 nothing is, and a lock whose deadline has passed is no lock: the
 * acquire must fail by then, and undo what it set.
 */
import { UsageError } from "../../harness/lab-error.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  granted,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";

const FAR_SHARE = 0.3;
const TOO_FAR_SHARE = 0.5;

function farClientStory(settings: LabSettings, oneWayShare: number): Story {
  const { nodeCount, ttlMs, nodeTimeoutMs } = settings;
  if (nodeTimeoutMs <= ttlMs) {
    throw new UsageError(`S54 needs a node timeout above the TTL of ${ttlMs} ms, not ${nodeTimeoutMs} ms.`);
  }
  const latencyMs = Math.round(ttlMs * oneWayShare);
  const slow = { kind: "slow-link", workers: ["W1"], nodes: nodeNames(nodeCount), latencyMs } as const;
  const faults = planInTurn([
    ["far-there", { ...slow, direction: "request" }],
    ["far-back", { ...slow, direction: "reply" }],
  ]);

  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold(faults) }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-finished", worker: "W1" }),
        waitMs: 2 * ttlMs,
      }),
    ],
    faults,
    staging: [],
    demands: {
      contention: false,
      events: [
        ...appliedEvents(faults),
        { kind: oneWayShare === FAR_SHARE ? "acquire-granted" : "acquire-failed", worker: "W1" },
        granted("W2"),
      ],
    },
    limitMs: 6 * ttlMs + 3000,
  };
}

export const farClient = defineScenario({
  id: "S54",
  title: "A client far away",
  summary:
    "W1's messages take most of a lifetime. It is granted what is left of it, or fails in time and undoes.",
  settings: { nodeTimeoutMs: 1200 },
  story: (settings) => farClientStory(settings, FAR_SHARE),
  variants: [
    { name: "far", summary: "600 ms there and back: what is left of the lifetime is granted.", expect: {} },
    {
      name: "too-far",
      summary: "1000 ms there and back: nothing would be left, and nothing is granted.",
      story: (settings) => farClientStory(settings, TOO_FAR_SHARE),
      expect: {},
    },
  ],
});
