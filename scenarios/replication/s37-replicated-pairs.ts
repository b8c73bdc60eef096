/**
 * S37. Each of the five nodes is a master with a replica and fails over by itself, as many managed services do it
 * without saying so. Replication is asynchronous: a replica that is promoted before it has heard of the key is a
 * node that has forgotten, and one such node breaks a bare majority.
 *
 * Where the replica was in time, nothing is lost. A quorum of four leaves three nodes in common, of which one may
 * forget.
 */
import { sharedNodeForgetsStory } from "../amnesia/shared-node-forgets-story.ts";
import type { NodeName } from "../../harness/history/event.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import type { NamedFault } from "../../harness/scenario/story-parts.ts";
import { BOTH_BELIEVE_FENCED, FOUR_VOTES, GUARDED } from "../usual-variants.ts";

const replicaBehind = (node: NodeName): readonly NamedFault[] => [
  ["hold", { kind: "hold-replication", node, replica: 1 }],
];

const tellWith =
  (isBehind: boolean) =>
  (settings: LabSettings): Story =>
    sharedNodeForgetsStory(settings, {
      scenario: "S37",
      loss: (node) => ({ kind: "fail-over", node }),
      ...(isBehind ? { preparations: replicaBehind } : {}),
      forgets: isBehind,
    });

export const replicatedPairs = defineScenario({
  id: "S37",
  title: "Redlock over replicated pairs",
  summary:
    "W1 holds the lock on A, B and C. C's master dies and its replica, which has not heard of the key, takes over; W2 acquires on C, D and E.",
  settings: { replicaCount: 1 },
  story: tellWith(true),
  variants: [
    {
      name: "plain",
      summary: "The replica is behind: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    { name: "in-time", summary: "The replica has the key.", story: tellWith(false), expect: {} },
    FOUR_VOTES,
    {
      ...GUARDED,
      summary: "The guard names the old master's process: C casts no vote for the longest lifetime.",
    },
    BOTH_BELIEVE_FENCED,
  ],
});
