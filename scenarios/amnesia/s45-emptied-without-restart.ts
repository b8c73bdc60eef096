/**
 * S45. A node loses the key while its process goes on, or another server takes over its name: somebody empties it,
 * deletes the key by hand, or its address leads to an empty server from now on. Nothing was restarted, so a delayed
 * restart cannot help; nor does an append-only file, which records the deletion faithfully.
 *
 * A quorum of four leaves three nodes in common, of which one may forget. Who may send FLUSHALL or DEL is a matter of
 * the servers' access lists.
 */
import type { Fault } from "../../harness/faults/fault.ts";
import type { NodeName } from "../../harness/history/event.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { WORKER_DEFAULTS } from "../../harness/workload/worker-plan.ts";
import { sharedNodeForgetsStory } from "./shared-node-forgets-story.ts";
import { BOTH_BELIEVE_FENCED, FOUR_VOTES, GUARDED } from "../usual-variants.ts";

const { resource } = WORKER_DEFAULTS;

const tellWith =
  (loss: (node: NodeName) => Fault) =>
  (settings: LabSettings): Story =>
    sharedNodeForgetsStory(settings, { scenario: "S45", loss, forgets: true });

const flushed = tellWith((node) => ({ kind: "flush-node", node }));
const deleted = tellWith((node) => ({ kind: "delete-key", node, resource }));
const exchanged = tellWith((node) => ({ kind: "exchange-node", node }));

const BOTH_BELIEVE = { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" } as const;

export const emptiedWithoutRestart = defineScenario({
  id: "S45",
  title: "A node is emptied without a restart",
  summary: "W1 holds the lock on A, B and C. C is emptied while it runs, and W2 acquires on C, D and E.",
  story: flushed,
  variants: [
    { name: "flushed", summary: "Somebody sends FLUSHALL to C: both believe at once.", expect: BOTH_BELIEVE },
    {
      name: "deleted",
      summary: "Somebody deletes the key on C by hand: both believe at once.",
      story: deleted,
      // A key that a foreign hand deleted is somebody else's key that was touched.
      expect: { ...BOTH_BELIEVE, hygiene: "invalid" },
    },
    {
      name: "exchanged",
      summary: "C's name leads to another, empty server: both believe at once.",
      story: exchanged,
      expect: BOTH_BELIEVE,
    },
    {
      name: "delayed-restart",
      summary: "A delayed restart does not help a node that was not restarted.",
      settings: { delayedRestart: true },
      expect: BOTH_BELIEVE,
    },
    {
      name: "aof-always",
      summary: "An append-only file does not help: it records that the key is gone.",
      settings: { persistence: "aof-always" },
      expect: BOTH_BELIEVE,
    },
    FOUR_VOTES,
    { ...GUARDED, summary: "The guard has gone with the key: C casts no vote for the longest lifetime." },
    {
      ...GUARDED,
      name: "guarded-exchanged",
      summary: "The other server has no guard, or another's: C casts no vote for the longest lifetime.",
      story: exchanged,
    },
    {
      name: "guarded-deleted",
      summary: "The guard does not see that a single key is deleted: both believe at once.",
      settings: { restartGuard: true },
      story: deleted,
      expect: { ...BOTH_BELIEVE, hygiene: "invalid" },
    },
    BOTH_BELIEVE_FENCED,
  ],
});
