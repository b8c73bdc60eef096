/**
 * S51. A control: a partition of one direction. Requests arrive and replies vanish: W1 locks every node and hears of
 * none, gives up in its own time, and its undo, which arrives as well, leaves nothing behind. Where requests vanish
 * too, right after the commands, the keys stay until they expire: a lifetime of unavailability, and no more.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  at,
  granted,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";

/** The commands have arrived, and the node timeout is not over. */
const CUT_AFTER_MS = 20;
const RIVAL_AFTER_MS = 10;
/** Less than the lifetime of keys that were left behind. */
const RIVAL_WAITS_SHARE = 0.3;

function repliesLostStory(settings: LabSettings, isUndoLost: boolean): Story {
  const { nodeCount, ttlMs } = settings;
  const link = { kind: "cut-link", workers: ["W1"], nodes: nodeNames(nodeCount), how: "lose" } as const;
  const repliesLost: PlannedFault = {
    id: "replies-lost",
    when: at(0),
    fault: { ...link, direction: "reply" },
  };
  const requestsLost: PlannedFault = {
    id: "requests-lost",
    when: after({ kind: "acquire-invoked", worker: "W1" }, CUT_AFTER_MS),
    fault: { ...link, direction: "request" },
  };
  const faults = isUndoLost ? [repliesLost, requestsLost] : [repliesLost];

  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold([repliesLost]) }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "acquire-failed", worker: "W1" }, RIVAL_AFTER_MS),
        waitMs: isUndoLost ? 2 * ttlMs : Math.round(ttlMs * RIVAL_WAITS_SHARE),
      }),
    ],
    faults,
    staging: [],
    demands: {
      contention: false,
      events: [
        ...appliedEvents(faults),
        { kind: "key-set", node: "A" },
        { kind: "acquire-failed", worker: "W1" },
        granted("W2"),
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const repliesLost = defineScenario({
  id: "S51",
  title: "A partition of one direction",
  summary: "W1's commands reach every node and no reply reaches W1. It gives up and undoes; W2 acquires.",
  story: (settings) => repliesLostStory(settings, false),
  variants: [
    { name: "replies", summary: "The undo arrives: W2 acquires at once.", expect: {} },
    {
      name: "then-requests",
      summary: "The undo is lost as well: W2 waits until the keys have expired.",
      story: (settings) => repliesLostStory(settings, true),
      expect: {},
    },
  ],
});
