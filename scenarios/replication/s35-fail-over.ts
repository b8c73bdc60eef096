/**
 * S35. One master with a replica, and nobody waits for the replica: the master dies a millisecond after it has
 * granted the lock, before the replica has heard of it, and the replica grants it again. The example by which the
 * documentation of Redis says why one replicated server is no lock.
 *
 * Five independent masters need a majority of such losses at one time. Fencing protects the resource.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after } from "../../harness/scenario/story-parts.ts";
import { MASTER, oneMasterStory, requireOneMaster } from "./one-master-story.ts";

/** Less than a message to the replica takes; the answer to W1 is on its way by then. */
const DIES_AFTER_MS = 1;

const failOverStory = (settings: LabSettings): Story =>
  oneMasterStory(settings, {
    scenario: "S35",
    when: after({ kind: "key-set", node: MASTER }, DIES_AFTER_MS),
    replica: 1,
    preparations: [],
  });

function onOneMaster(settings: LabSettings): Story {
  requireOneMaster(settings, "S35");
  return failOverStory(settings);
}

const ONE_MASTER = { nodeCount: 1, quorum: 1 } as const;

export const failOver = defineScenario({
  id: "S35",
  title: "One master fails over to a replica that is behind",
  summary:
    "The only master grants the lock to W1 and dies. Its replica has not heard of it and grants it to W2.",
  aliases: [
    {
      name: "redis-docs-fail-over",
      source: "Redis documentation, distributed locks: why failover-based implementations are not enough",
    },
  ],
  settings: { replicaCount: 1 },
  story: failOverStory,
  variants: [
    {
      name: "replicated",
      summary: "One master, asynchronous replication: both believe at once.",
      settings: ONE_MASTER,
      strategy: "replicated",
      story: onOneMaster,
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "fenced",
      summary: "Both believe at once, and the resource refuses the older token.",
      settings: { ...ONE_MASTER, fencing: true },
      strategy: "replicated",
      story: onOneMaster,
      expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
    },
    { name: "redlock", summary: "Five masters: four of them still have the key.", expect: {} },
  ],
});
