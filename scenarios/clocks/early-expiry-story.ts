/**
 * Clocks run apart: the nodes' are fast, or the holder's slow, and the keys expire before the holder stops believing.
 * W1 works until right before its deadline; W2 asks when the keys have gone from the fast nodes. Told by S10 and S11.
 */
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  granted,
  type NamedFault,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";

/** W2 comes so long after the keys have gone. */
const RIVAL_AFTER_MS = 2;

export interface EarlyExpiry {
  readonly scenario: string;
  readonly ttlMinMs: number;
  readonly skews: readonly NamedFault[];
  /** How fast the nodes' clocks run on which the keys expire early. */
  readonly fastRate: number;
  /** W1 writes so long before its deadline: when W2 has written, where W2 was let in. */
  readonly writeBeforeDeadlineMs: number;
  readonly rivalLingerMs: number;
  readonly limitMs: number;
}

export function earlyExpiryStory(settings: LabSettings, told: EarlyExpiry): Story {
  requireTtl(settings, told.scenario, told.ttlMinMs);
  const { ttlMs, driftFactor } = settings;
  const skews = planInTurn(told.skews);
  const goneAfterMs = Math.ceil(ttlMs / told.fastRate);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(skews),
        workMs: ttlMs - Math.ceil(ttlMs * driftFactor) - told.writeBeforeDeadlineMs,
      }),
      planWorker("W2", settings, {
        startWhen: after(granted("W1"), goneAfterMs + RIVAL_AFTER_MS),
        waitMs: ttlMs,
        workMs: 0,
        lingerMs: told.rivalLingerMs,
      }),
    ],
    faults: skews,
    staging: [],
    demands: {
      contention: true,
      events: [...appliedEvents(skews), granted("W1"), granted("W2")],
    },
    limitMs: told.limitMs,
  };
}
