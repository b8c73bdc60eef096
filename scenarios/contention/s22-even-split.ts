/**
 * S22. Four nodes, and two votes for each of two workers: nobody has three, and nobody has three against. A lock that
 * waits for one or the other waits for ever. The coordinator has lost as soon as the silent could not help any more.
 *
 * Times: 0 both ask; 2 A, B vote for W1 and C, D for W2; 104 the others have refused, both have lost, and undo; 122 W1
 * tries again and wins; W2, which rests for longer, wins after it.
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import { UsageError } from "../../harness/lab-error.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { appliedEvents, planInTurn, planWorker, whenAllHold } from "../../harness/scenario/story-parts.ts";

/** The other one's nodes are so much farther away, each way: more than two real workers may start apart. */
const FAR_MS = 50;
/** Enough for the far nodes. */
const NODE_TIMEOUT_MS = 200;
/** W2 rests while W1 tries again: they would meet for ever. */
const IDLE_MS = { W1: 20, W2: 6 * FAR_MS };
const ACQUIRES_PER_WORKER = 8;

function evenSplitStory(settings: LabSettings, shown: readonly EventPattern[]): Story {
  const { nodeCount, ttlMs } = settings;
  if (nodeCount % 2 === 1) throw new UsageError(`S22 needs an even number of nodes, not ${nodeCount}.`);
  const nodes = nodeNames(nodeCount);
  const distances = planInTurn([
    ["far-from-w1", far("W1", nodes.slice(nodeCount / 2), "request")],
    ["far-back-to-w1", far("W1", nodes.slice(nodeCount / 2), "reply")],
    ["far-from-w2", far("W2", nodes.slice(0, nodeCount / 2), "request")],
    ["far-back-to-w2", far("W2", nodes.slice(0, nodeCount / 2), "reply")],
  ]);
  const startWhen = whenAllHold(distances);
  const plan = { startWhen, acquireCount: ACQUIRES_PER_WORKER };
  return {
    workers: [
      planWorker("W1", settings, { ...plan, idleMs: IDLE_MS.W1 }),
      planWorker("W2", settings, { ...plan, idleMs: IDLE_MS.W2 }),
    ],
    faults: distances,
    staging: [],
    demands: {
      contention: false,
      events: [
        ...appliedEvents(distances),
        { kind: "key-set", node: "A" },
        { kind: "key-set", node: "D" },
        ...shown,
      ],
    },
    limitMs: 2 * ttlMs + 2000,
  };
}

function far(worker: string, nodes: readonly string[], direction: "request" | "reply") {
  return { kind: "slow-link", workers: [worker], nodes, direction, latencyMs: FAR_MS } as const;
}

const BOTH_LOSE_THEN_WIN: readonly EventPattern[] = (["acquire-failed", "acquire-granted"] as const).flatMap(
  (kind) => ["W1", "W2"].map((worker) => ({ kind, worker })),
);

export const evenSplit = defineScenario({
  id: "S22",
  title: "Even split of four nodes",
  summary: "Two of four nodes vote for W1 and two for W2, where a quorum takes three.",
  settings: { nodeCount: 4, quorum: 3, nodeTimeoutMs: NODE_TIMEOUT_MS },
  story: (settings) => evenSplitStory(settings, BOTH_LOSE_THEN_WIN),
  variants: [
    { name: "plain", summary: "Both have lost as soon as no quorum is left, and try again.", expect: {} },
    {
      name: "vote-deadlock-on-even-n",
      summary: "Both wait for a quorum of yes or a quorum of no.",
      strategy: "mutant:vote-deadlock-on-even-n",
      story: (settings) => evenSplitStory(settings, []),
      // Nobody ever holds the lock, so that nothing can be said of holders.
      expect: { settling: "invalid", declared: "any", actual: "any", danger: "any" },
    },
  ],
});
