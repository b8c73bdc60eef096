/**
 * S57. A control: a time server slews the clocks of all nodes by 500 parts in a million, as fast as it may. A lifetime
 * of a second is then half a millisecond longer or shorter, far within what the drift factor gives up; the lock stands
 * until its deadline.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
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
import { deadlineOf } from "../../src/core/validity.ts";

const SLEW = 500e-6;
const FAST = 1 + SLEW;
const SLOW = 1 - SLEW;
const RIVAL_AFTER_MS = 20;
/** W1 is done right before its deadline. */
const DONE_BEFORE_DEADLINE_MS = 20;

const tellWith =
  (rates: { readonly nodes: number; readonly holder?: number }) =>
  (settings: LabSettings): Story => {
    const { nodeCount, ttlMs, driftFactor } = settings;
    const ofNodes = nodeNames(nodeCount).map(
      (node): NamedFault => [`slew-${node.toLowerCase()}`, { kind: "skew-clock", node, rate: rates.nodes }],
    );
    const ofHolder: readonly NamedFault[] =
      rates.holder === undefined
        ? []
        : [["slew-w1", { kind: "skew-worker-clock", worker: "W1", rate: rates.holder }]];
    const faults = planInTurn([...ofNodes, ...ofHolder]);
    const deadlineMs = deadlineOf({ startedAtMs: 0, ttlMs, driftFactor });

    return {
      workers: [
        planWorker("W1", settings, {
          startWhen: whenAllHold(faults),
          workMs: Math.floor(deadlineMs - DONE_BEFORE_DEADLINE_MS),
        }),
        planWorker("W2", settings, {
          startWhen: after(granted("W1"), RIVAL_AFTER_MS),
          waitMs: 2 * ttlMs,
        }),
      ],
      faults,
      staging: [],
      demands: {
        contention: true,
        events: [...appliedEvents(faults), granted("W2")],
      },
      limitMs: 4 * ttlMs + 3000,
    };
  };

export const slewedClocks = defineScenario({
  id: "S57",
  title: "Clocks that are slewed",
  summary:
    "The nodes' clocks run 500 parts in a million fast or slow. W1's lock stands until its deadline; W2 waits.",
  story: tellWith({ nodes: FAST }),
  variants: [
    { name: "fast", summary: "All nodes run fast.", expect: {} },
    { name: "slow", summary: "All nodes run slow.", story: tellWith({ nodes: SLOW }), expect: {} },
    {
      name: "apart",
      summary: "All nodes run fast, and the holder's machine slow.",
      story: tellWith({ nodes: FAST, holder: SLOW }),
      expect: {},
    },
  ],
});
