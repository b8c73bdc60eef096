/**
 * The second course of S60: a short extension is held up on a connection that is reset, longer ones are granted over
 * the next one, and the short one runs behind them.
 *
 * Times with a TTL of 1000 ms: 321 a renewal; 630 W1 extends to 200 ms, which is held up; 635 the connections are
 * reset; by 710 the short extension, asked again, and a renewal are granted, and W1 believes until about 1660; 760
 * what was held up runs; 960 the keys of who shortens are gone.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, appliedEvents, at, granted, planWorker } from "../../harness/scenario/story-parts.ts";

/** Right before the second renewal. */
const EXTEND_SHARE = 0.625;
const SHORT_SHARE = 0.2;
const SLOW_BEFORE_MS = 25;
/** What is on a connection when the link is slow no longer hurries: the reset has to come first. */
const SLOW_FOR_MS = 40;
const HELD_UP_MS = 130;
const RESET_AFTER_MS = 6;
/** W2 comes by when the keys of who shortens are gone, and before the third renewal. */
const RIVAL_AFTER_MS = 20;
/** W1 lets go this much after W2 has come by. */
const LETS_GO_LATER_SHARE = 0.3;

const TTL_MIN_MS = 1000;

/** The first extension is a renewal, the second is the short one. */
const SHORT_ONE = { event: { kind: "extend-invoked", worker: "W1" }, nth: 2 } as const;

export function overtakenExtensionStory(settings: LabSettings): Story {
  requireTtl(settings, "S60", TTL_MIN_MS);
  const { ttlMs } = settings;
  const shortMs = Math.round(ttlMs * SHORT_SHARE);
  const faults = overtaking(settings);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: at(0),
        workMs: Math.round(ttlMs * EXTEND_SHARE),
        extendMs: shortMs,
        renews: true,
        lingerMs: HELD_UP_MS + shortMs + Math.round(ttlMs * LETS_GO_LATER_SHARE),
      }),
      planWorker("W2", settings, {
        startWhen: { kind: "after", ...SHORT_ONE, delayMs: HELD_UP_MS + shortMs + RIVAL_AFTER_MS },
        waitMs: 2 * ttlMs,
      }),
    ],
    faults,
    staging: [],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), { kind: "extend-granted", worker: "W1" }, granted("W2")],
    },
    limitMs: 6 * ttlMs + 3000,
  };
}

function overtaking({ nodeCount, ttlMs }: LabSettings): readonly PlannedFault[] {
  const links = { workers: ["W1"], nodes: nodeNames(nodeCount) };
  const slowAfterMs = Math.round(ttlMs * EXTEND_SHARE) - SLOW_BEFORE_MS;
  return [
    {
      id: "slow",
      when: after(granted("W1"), slowAfterMs),
      fault: {
        ...links,
        kind: "slow-link",
        direction: "request",
        latencyMs: HELD_UP_MS,
        forMs: SLOW_FOR_MS,
      },
    },
    {
      id: "reset",
      when: { kind: "after", ...SHORT_ONE, delayMs: RESET_AFTER_MS },
      fault: { ...links, kind: "reset-link" },
    },
  ];
}
