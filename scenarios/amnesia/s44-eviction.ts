/**
 * S44. A node that runs short of memory gives the lock's key up (`maxmemory` with a policy that evicts; under
 * `volatile-ttl` the shortest lifetime goes first, and that is a lock's). It has not restarted, so no delayed
 * restart helps.
 *
 * A server of its own for locks, with `noeviction`, refuses new locks instead of forgetting old ones. A quorum of
 * four leaves three nodes in common, of which one may forget.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { WORKER_DEFAULTS } from "../../harness/workload/worker-plan.ts";
import { sharedNodeForgetsStory } from "./shared-node-forgets-story.ts";
import { BOTH_BELIEVE_FENCED, FOUR_VOTES } from "../usual-variants.ts";

const { resource } = WORKER_DEFAULTS;

export const eviction = defineScenario({
  id: "S44",
  title: "Eviction of a lock's key",
  summary:
    "W1 holds the lock on A, B and C. C needs memory and evicts the key, and W2 acquires on C, D and E.",
  aliases: [
    { name: "redlock-net-eviction", source: "samcook/RedLock.net, issue 101: keys that were evicted" },
  ],
  story: (settings) =>
    sharedNodeForgetsStory(settings, {
      scenario: "S44",
      loss: (node) => ({ kind: "evict-key", node, resource }),
      forgets: true,
    }),
  variants: [
    {
      name: "plain",
      summary: "C evicts the key and votes again: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    FOUR_VOTES,
    BOTH_BELIEVE_FENCED,
  ],
});
