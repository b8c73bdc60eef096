/**
 * S47. "Do I still hold it?", asked of a replica. The holder's extension has reached one node only and its deadline
 * has passed; a rival holds the lock on the other four. The replica of that one node says truthfully that the key is
 * there, and the old holder writes. A key on one node is not the lock; nor would one on the master be.
 *
 * The deadline is the only answer that needs nobody, and fencing is the resource's own.
 */
import { edgeStory } from "../extension/edge-story.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { after } from "../../harness/scenario/story-parts.ts";

/** W2 is granted and has written by then. */
const PAUSE_SHARE = 0.3;

export const stateFromAReplica = defineScenario({
  id: "S47",
  title: "Lock state read from a replica",
  summary:
    "W1's deadline has passed and W2 holds the lock, but one node still has W1's key. W1 asks its replica, is told so, and writes.",
  settings: { replicaCount: 1 },
  story: (settings) =>
    edgeStory(settings, {
      scenario: "S47",
      holder: { checksReplica: !settings.checkBeforeWrite },
      moreFaults: [
        {
          id: "pause-w1",
          when: after({ kind: "extend-failed", worker: "W1" }),
          fault: { kind: "pause-worker", worker: "W1", forMs: Math.round(settings.ttlMs * PAUSE_SHARE) },
        },
      ],
    }),
  variants: [
    {
      name: "plain",
      summary: "The replica has the key: the late write goes out and is accepted.",
      expect: { actual: "invalid", stale: "invalid" },
    },
    {
      name: "checked",
      summary: "W1 looks at its deadline instead, and does not write.",
      settings: { checkBeforeWrite: true },
      expect: { actual: "invalid" },
    },
    {
      name: "fenced",
      summary: "The late write goes out, and the resource refuses the older token.",
      settings: { fencing: true },
      expect: { actual: "invalid" },
    },
  ],
});
