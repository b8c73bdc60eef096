/**
 * S59. W1 wins on A, B and C; D and E have executed its command too, but their replies were lost. Later an extension
 * lives on A, D and E. Who noted D and E for a sweep, because they had not answered, deletes two thirds of the quorum
 * that the lock stands on by now. Sweeps touch ended values only.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 450 B and C are cut off; 500 the extension, by A, D, E; 505 the
 * sweep; 1003 B and C expire; 1010 W2 comes by; 1200 W1 lets go.
 */
import { UsageError } from "../../harness/lab-error.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  applied,
  appliedEvents,
  at,
  granted,
  planWorker,
} from "../../harness/scenario/story-parts.ts";

/** The sweep of the mutant comes 505 ms after the round began: the extension right before it, the cuts before that. */
const EXTEND_MS = 490;
const REPLIES_LOST_FOR_MS = 350;
const CUT_AFTER_MS = 450;
const RIVAL_AFTER_TTL_MS = 5;
/** W1 lets go this much after W2 has come by. */
const LETS_GO_LATER_MS = 200;

/** The nodes whose replies were lost are to answer again by the time of the extension. */
const TTL_MIN_MS = 900;

function sweepStory(settings: LabSettings): Story {
  requireTtl(settings, "S59", TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs } = settings;
  const faults = sweepFaults(settings);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: after(applied("replies-lost")),
        workMs: EXTEND_MS,
        extendMs: ttlMs,
        lingerMs: ttlMs - EXTEND_MS + LETS_GO_LATER_MS,
      }),
      planWorker("W2", settings, {
        startWhen: after(granted("W1"), ttlMs + RIVAL_AFTER_TTL_MS),
        waitMs: ttlMs,
      }),
    ],
    faults,
    staging: [{ kind: "granted-by", worker: "W1", nodes: nodeNames(nodeCount).slice(0, quorum) }],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), { kind: "extend-granted", worker: "W1" }, granted("W2")],
    },
    limitMs: 5 * ttlMs + 3000,
  };
}

function sweepFaults({ nodeCount, quorum }: LabSettings): readonly PlannedFault[] {
  const nodes = nodeNames(nodeCount);
  const spareCount = nodeCount - quorum;
  if (spareCount === 0) {
    throw new UsageError(
      `S59 needs a node that may be silent, but a quorum of ${quorum} takes all ${nodeCount}.`,
    );
  }
  return [
    {
      id: "replies-lost",
      when: at(0),
      fault: {
        kind: "cut-link",
        workers: ["W1"],
        nodes: nodes.slice(quorum),
        how: "lose",
        direction: "reply",
        forMs: REPLIES_LOST_FOR_MS,
      },
    },
    {
      id: "cut-w1",
      when: after(granted("W1"), CUT_AFTER_MS),
      fault: {
        kind: "cut-link",
        workers: ["W1"],
        nodes: nodes.slice(quorum - spareCount, quorum),
        how: "lose",
      },
    },
  ];
}

export const sweepOfAWonRound = defineScenario({
  id: "S59",
  title: "Sweep after a won round",
  summary:
    "W1 wins on A, B and C while D and E stay silent, and extends on A, D and E. Nothing of its own deletes the keys on D and E.",
  story: sweepStory,
  variants: [
    { name: "plain", summary: "Values that are believed in are not swept.", expect: {} },
    {
      name: "sweep-won-round",
      summary: "The silent nodes are swept after the extension: W2 wins while W1 believes.",
      strategy: "mutant:sweep-won-round",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", hygiene: "invalid" },
    },
  ],
});
