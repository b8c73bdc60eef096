/**
 * S17. The delayed restart, undone in three ways. A node that has forgotten stays away, and comes back too early all
 * the same: because its delay was counted on a wall clock that was stepped, because somebody's lock lives longer than
 * the delay was sized for, or because a lock was extended beyond it.
 *
 * Times with a TTL of 1000 ms, C forgetful, and a delay that was sized for that TTL (1062 ms):
 * wall-clock-delay: 0 W1 is granted by A, B, C; 50 C goes down; its clock +2000, so that the delay seems over at 120;
 * 130 W2 is granted by C, D, E.
 * longer-ttl: 0 W1 is granted for 5000; 50 C goes down; 1112 C is back; 1120 W2 is granted for 1000.
 * long-extension: 0 W1 is granted; 900 it extends to 5000; 950 C goes down; 2012 C is back; 2020 W2 is granted.
 *
 * A delay that is counted on a monotonic clock from the longest lifetime that anybody is granted or extends to holds:
 * the control is the longest of the three stories with such a delay. An extension by the usual TTL is safe, because it
 * needs a fresh majority of nodes that still hold the key.
 */
import type { Trigger } from "../../harness/faults/trigger.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { downTimeMs } from "../../harness/scenario/down-time.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";
import {
  after,
  applied,
  appliedEvents,
  granted,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";
import { GUARDED } from "../usual-variants.ts";

const DOWN_AFTER_MS = 50;
const RIVAL_AFTER_MS = 10;
/** The longer lifetime, in usual ones. */
const LONG_TTLS = 5;
const EXTEND_AT_SHARE = 0.9;
const RIVAL_LINGER_SHARE = 0.6;
const TTL_MIN_MS = 600;

interface Telling {
  readonly holder: Partial<WorkerPlan>;
  readonly downWhen: Trigger;
  readonly downForMs: number;
  /** How far the clock of the node steps while it is away. */
  readonly clockStepMs?: number;
}

function delayUndoneStory(settings: LabSettings, telling: Telling): Story {
  requireTtl(settings, "S17", TTL_MIN_MS);
  const { ttlMs } = settings;
  const { holder, downWhen, downForMs, clockStepMs } = telling;
  const { shared, cuts } = splitQuorums(settings);
  const partition = planInTurn(cuts);
  const down = { kind: "node-down", node: shared } as const;
  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold(partition), ...holder }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "node-up", node: shared }, RIVAL_AFTER_MS),
        waitMs: (LONG_TTLS + 2) * ttlMs,
        lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
      }),
    ],
    faults: [
      ...partition,
      { id: "down", when: downWhen, fault: { kind: "crash-node", node: shared, downForMs } },
      ...(clockStepMs === undefined
        ? []
        : [
            {
              id: "step",
              when: after(down),
              fault: { kind: "jump-clock", node: shared, byMs: clockStepMs } as const,
            },
          ]),
    ],
    staging: [],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(partition),
        down,
        { kind: "node-up", node: shared },
        ...(clockStepMs === undefined ? [] : [applied("step")]),
        ...(holder.extendMs === undefined ? [] : [{ kind: "extend-granted", worker: "W1" } as const]),
        granted("W2"),
      ],
    },
    limitMs: 4 * LONG_TTLS * ttlMs,
  };
}

/** The delay of an operator who knows of locks of the usual lifetime. */
const usualDelayMs = (settings: LabSettings): number => downTimeMs({ ...settings, delayedRestart: true });

function wallClockStory(settings: LabSettings): Story {
  const { ttlMs, restartAfterMs } = settings;
  return delayUndoneStory(settings, {
    // W1 writes last, long after W2 has had the time to be granted and to write.
    holder: { workMs: Math.round(ttlMs * 0.7) },
    downWhen: after(granted("W1"), DOWN_AFTER_MS),
    downForMs: restartAfterMs,
    clockStepMs: 2 * ttlMs,
  });
}

function longerTtlStory(settings: LabSettings): Story {
  const { ttlMs } = settings;
  return delayUndoneStory(settings, {
    holder: { ttlMs: LONG_TTLS * ttlMs, workMs: 2 * ttlMs },
    downWhen: after(granted("W1"), DOWN_AFTER_MS),
    downForMs: usualDelayMs(settings),
  });
}

function longExtensionStory(settings: LabSettings, downForMs: number): Story {
  const { ttlMs } = settings;
  return delayUndoneStory(settings, {
    holder: {
      workMs: Math.round(ttlMs * EXTEND_AT_SHARE),
      extendMs: LONG_TTLS * ttlMs,
      lingerMs: (LONG_TTLS - 2) * ttlMs,
    },
    downWhen: after({ kind: "extend-granted", worker: "W1" }, DOWN_AFTER_MS),
    downForMs,
  });
}

export const delayUndone = defineScenario({
  id: "S17",
  title: "Delayed restart undone",
  summary:
    "C forgets W1's lock and stays away until such a lock has expired, or so it was thought; W2 acquires on C, D and E.",
  story: wallClockStory,
  variants: [
    {
      name: "wall-clock-delay",
      summary: "The delay is counted on a wall clock, which steps: C is back after 70 ms.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "longer-ttl",
      summary: "The delay is sized for 1000 ms, and W1's lock lives for 5000.",
      story: longerTtlStory,
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "long-extension",
      summary: "The delay is sized for 1000 ms, and W1 extends to 5000.",
      story: (settings) => longExtensionStory(settings, usualDelayMs(settings)),
      expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
    },
    {
      name: "longest-lifetime",
      summary: "The delay is sized for the longest lifetime, extensions included: nothing happens.",
      story: (settings) =>
        longExtensionStory(
          settings,
          downTimeMs({ ...settings, delayedRestart: true, ttlMs: LONG_TTLS * settings.ttlMs }),
        ),
      expect: {},
    },
    {
      ...GUARDED,
      summary: "The clock steps, and the restart guard needs no delay: it counts from the first question on.",
    },
    {
      ...GUARDED,
      name: "guarded-longer-ttl",
      summary: "The restart guard knows the longest lifetime that anybody may ask for.",
      story: longerTtlStory,
    },
    {
      ...GUARDED,
      name: "guarded-long-extension",
      summary: "The restart guard knows the longest lifetime, extensions included.",
      story: (settings) => longExtensionStory(settings, usualDelayMs(settings)),
    },
  ],
});
