/**
 * S46. The nodes forget their cached scripts while the lock is held (SCRIPT FLUSH, or a restart). Extension and
 * release are scripts: a client that only ever names them by their digest is refused from then on, and the lock stays
 * until it expires. Here both go through, and W2 acquires right after the release.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, appliedEvents, at, granted, planWorker } from "../../harness/scenario/story-parts.ts";

const FLUSHED_AFTER_MS = 50;
const EXTEND_AFTER_MS = 150;
/** The second flush has to come between the extension and the release. */
const LINGER_MS = 100;
/** W2 asks from the extension on; less than what the extended lock would live. */
const RIVAL_WAITS_SHARE = 0.5;
const RESTART_SPREAD_MS = 20;

const TTL_MIN_MS = 1000;

function scriptsStory(settings: LabSettings, faults: readonly PlannedFault[], extendAfterMs: number): Story {
  requireTtl(settings, "S46", TTL_MIN_MS);
  const { ttlMs } = settings;
  const rivalWaitMs = Math.round(ttlMs * RIVAL_WAITS_SHARE);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: at(0),
        workMs: extendAfterMs,
        extendMs: ttlMs,
        lingerMs: LINGER_MS,
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "extend-granted", worker: "W1" }),
        waitMs: rivalWaitMs,
      }),
    ],
    faults,
    staging: [],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        { kind: "extend-granted", worker: "W1" },
        { kind: "key-deleted", node: "A" },
        granted("W2"),
      ],
      promptAcquires: { medianBelowMs: rivalWaitMs },
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

function flushedStory(settings: LabSettings): Story {
  const nodes = nodeNames(settings.nodeCount);
  const flushes = nodes.flatMap((node): readonly PlannedFault[] => [
    {
      id: `flush-${node.toLowerCase()}`,
      when: after(granted("W1"), FLUSHED_AFTER_MS),
      fault: { kind: "flush-scripts", node },
    },
    {
      id: `flush-again-${node.toLowerCase()}`,
      when: after({ kind: "extend-granted", worker: "W1" }),
      fault: { kind: "flush-scripts", node },
    },
  ]);
  return scriptsStory(settings, flushes, EXTEND_AFTER_MS);
}

/** A minority at a time would be the operator's way; one after the other they all have lost their scripts. */
function restartedStory(settings: LabSettings): Story {
  const { nodeCount, restartAfterMs } = settings;
  const restarts = nodeNames(nodeCount).map((node, index): PlannedFault => {
    const turnMs = (restartAfterMs + RESTART_SPREAD_MS) * index;
    return {
      id: `restart-${node.toLowerCase()}`,
      when: after(granted("W1"), FLUSHED_AFTER_MS + turnMs),
      fault: { kind: "crash-node", node, downForMs: restartAfterMs },
    };
  });
  return scriptsStory(settings, restarts, EXTEND_AFTER_MS + (restartAfterMs + RESTART_SPREAD_MS) * nodeCount);
}

export const scriptsFlushed = defineScenario({
  id: "S46",
  title: "Cached scripts are gone",
  summary: "Every node forgets its scripts while W1 holds the lock. W1 extends and releases all the same.",
  story: flushedStory,
  variants: [
    { name: "flushed", summary: "SCRIPT FLUSH before the extension and before the release.", expect: {} },
    {
      name: "restarted",
      summary: "Every node is restarted, one after the other; keys are kept and scripts are not.",
      settings: { persistence: "aof-always" },
      story: restartedStory,
      expect: {},
    },
  ],
});
