/**
 * S56. Fifty workers wait for one lock, one of them farther away than the others. Who gets it when is a statistic:
 * nothing in Redlock is fair, and nothing promises that anybody wins soon. What is judged is that never two hold it,
 * that every call comes back in its time, and that the attempts of all these losers leave nothing behind.
 */
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

const WAITER_COUNT = 50;
const FAR_MS = 10;
const HOLDER_WORK_MS = 50;
const WAITER_WORK_MS = 10;
const WAITERS_AFTER_MS = 10;
const WAIT_SHARE = 1;

function thunderingHerdStory(settings: LabSettings): Story {
  const { nodeCount, ttlMs } = settings;
  const waiters = Array.from({ length: WAITER_COUNT - 1 }, (_, index) => `W${index + 2}`);
  const [far = "W1"] = waiters.slice(-1);
  const faults = planInTurn([
    [
      "far",
      {
        kind: "slow-link",
        workers: [far],
        nodes: nodeNames(nodeCount),
        direction: "request",
        latencyMs: FAR_MS,
      },
    ],
  ]);

  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold(faults), workMs: HOLDER_WORK_MS }),
      ...waiters.map((id) =>
        planWorker(id, settings, {
          startWhen: after(granted("W1"), WAITERS_AFTER_MS),
          waitMs: Math.round(ttlMs * WAIT_SHARE),
          workMs: WAITER_WORK_MS,
        }),
      ),
    ],
    faults,
    staging: [],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), granted("W1")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const thunderingHerd = defineScenario({
  id: "S56",
  title: "Thundering herd",
  summary:
    "Fifty workers wait for one lock, one of them far away. Never two hold it, and every call comes back in time.",
  story: thunderingHerdStory,
  variants: [
    { name: "full-jitter", summary: "The whole pause between two attempts is drawn.", expect: {} },
    {
      name: "half-jitter",
      summary: "Half of the pause is drawn.",
      settings: { retryJitter: 0.5 },
      expect: {},
    },
    {
      name: "fixed-delay",
      summary: "All wait for the same time: they meet again and again.",
      settings: { retryJitter: 0 },
      expect: {},
    },
  ],
});
