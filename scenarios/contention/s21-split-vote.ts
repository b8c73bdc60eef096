/**
 * S21. Three workers start together, each near to nodes of its own: every one of them gets a vote or two and nobody
 * three. All undo and wait; where all wait for the same time, they collide again, and again.
 *
 * Times: 0 all ask; 2 A, D vote for W1, B, E for W2, C for W3; 22 the rest has refused; all wait for 20, 40, 80, 100,
 * 100, … ms. With a drawn wait somebody comes so early that the others find the nodes taken.
 *
 * How many rounds pass before somebody wins is a statistic, not a rule that is broken: reported, not judged. The wait
 * that is drawn as a whole is what the coordinator ships.
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { appliedEvents, planInTurn, planWorker, whenAllHold } from "../../harness/scenario/story-parts.ts";

const WORKERS = ["W1", "W2", "W3"];
/** The nodes that are not near are so much farther away. */
const FAR_MS = 20;
const WAIT_TTLS = 2;

function splitVoteStory(settings: LabSettings, shown: readonly EventPattern[]): Story {
  const { nodeCount, ttlMs } = settings;
  const distances = planInTurn(
    WORKERS.map((worker, index) => [
      `far-from-${worker.toLowerCase()}`,
      {
        kind: "slow-link",
        workers: [worker],
        nodes: nodeNames(nodeCount).filter((_, place) => place % WORKERS.length !== index),
        direction: "request",
        latencyMs: FAR_MS,
      },
    ]),
  );
  return {
    workers: WORKERS.map((worker) =>
      planWorker(worker, settings, { startWhen: whenAllHold(distances), waitMs: WAIT_TTLS * ttlMs }),
    ),
    faults: distances,
    staging: [],
    demands: { contention: true, events: [...appliedEvents(distances), ...shown] },
    limitMs: 4 * WAIT_TTLS * ttlMs + 2000,
  };
}

const SOMEBODY_WINS: readonly EventPattern[] = [{ kind: "acquire-granted" }];
const EACH_ASKS: readonly EventPattern[] = WORKERS.map((worker) => ({ kind: "acquire-invoked", worker }));

export const splitVote = defineScenario({
  id: "S21",
  title: "Split vote",
  summary: "W1, W2 and W3 start together, and each gets the votes of the nodes that are near to it.",
  story: (settings) => splitVoteStory(settings, SOMEBODY_WINS),
  variants: [
    { name: "plain", summary: "The whole wait between two attempts is drawn.", expect: {} },
    {
      name: "jitter-50",
      summary: "Half of each wait is drawn.",
      settings: { retryJitter: 0.5 },
      expect: {},
    },
    {
      name: "jitter-0",
      summary: "All wait for the same time, collide again, and may give up in the end.",
      settings: { retryJitter: 0 },
      story: (settings) => splitVoteStory(settings, EACH_ASKS),
      // Where nobody ever holds the lock, nothing can be said of holders.
      expect: { declared: "any", actual: "any", danger: "any" },
    },
  ],
});
