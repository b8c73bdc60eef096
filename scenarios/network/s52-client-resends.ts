/**
 * S52. A client library sends a command again when its connection broke before the reply. What it sends again is the
 * command of an attempt that has been given up and undone: it sets the key anew, for nobody, and its own worker's
 * next attempts are refused for a lifetime. Lock traffic is never sent again by itself.
 *
 * Times: 0 W1's commands are executed and their replies lost; 20 the connections break; 52 the undo has run; 62 what
 * was sent again sets the keys.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, appliedEvents, at, planWorker, whenAllHold } from "../../harness/scenario/story-parts.ts";

const BREAKS_AFTER_MS = 20;
/** Long enough for an attempt after the undo, and shorter than a lifetime. */
const WAIT_SHARE = 0.5;

const TTL_MIN_MS = 800;

function resendStory(settings: LabSettings): Story {
  requireTtl(settings, "S52", TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs } = settings;
  const waitMs = Math.round(ttlMs * WAIT_SHARE);
  // A connection that loses in silence is closed when that ends.
  const faults: readonly PlannedFault[] = [
    {
      id: "replies-lost",
      when: at(0),
      fault: {
        kind: "cut-link",
        workers: ["W1"],
        nodes: nodeNames(nodeCount).slice(0, quorum),
        how: "lose",
        direction: "reply",
        forMs: BREAKS_AFTER_MS,
      },
    },
  ];

  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold(faults), waitMs }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-finished", worker: "W1" }),
        waitMs: 2 * ttlMs,
      }),
    ],
    faults,
    staging: [],
    demands: {
      contention: false,
      events: [...appliedEvents(faults), { kind: "key-deleted", node: "A" }],
      promptAcquires: { medianBelowMs: waitMs },
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const clientResends = defineScenario({
  id: "S52",
  title: "A client that sends again",
  summary:
    "W1's replies are lost and its connections break. Its attempt is undone, and a later one succeeds: nothing of the first comes again.",
  story: resendStory,
  variants: [
    { name: "plain", summary: "What was not answered is undone and not sent again.", expect: {} },
    {
      name: "resend-on-reconnect",
      summary: "What was not answered is sent again behind the undo: W1 is kept out by its own dead value.",
      strategy: "mutant:resend-on-reconnect",
      // The whole pause: the next attempt comes when what was sent again has run.
      settings: { retryJitter: 0 },
      expect: { settling: "invalid" },
    },
  ],
});
