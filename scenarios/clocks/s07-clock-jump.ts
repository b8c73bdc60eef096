/**
 * S07. Two workers on the two sides of a partition meet on one node, and that node's wall clock is stepped forward
 * (an administrator, a time server): Redis expires the key by the wall clock, and the node votes a second time.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted by A, B, C; 50 C's clock +2000; 60 W2 is granted by C, D, E and
 * writes at 110; 600 W1 writes. Both believe from 60 until W1 lets go.
 *
 * A quorum of four leaves three nodes in common, of which one may forget. Fencing protects the resource and not
 * the lock. Nothing but clocks that are never stepped protects a bare majority.
 */
import { sharedNodeForgetsStory } from "../amnesia/shared-node-forgets-story.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { BOTH_BELIEVE_FENCED, FOUR_VOTES } from "../usual-variants.ts";

export const clockJump = defineScenario({
  id: "S07",
  title: "Clock jump on the node that two quorums share",
  summary:
    "W1 holds the lock on A, B and C. C's clock jumps forward, its key expires at once, and W2 acquires on C, D and E.",
  aliases: [
    {
      name: "kleppmann-clock-jump",
      source: 'Martin Kleppmann, "How to do distributed locking", 2016: the clock that jumps forward',
    },
  ],
  story: (settings) =>
    sharedNodeForgetsStory(settings, {
      scenario: "S07",
      loss: (node) => ({ kind: "jump-clock", node, byMs: 2 * settings.ttlMs }),
      lossId: "jump",
      shown: (node) => ({ kind: "clock-jumped", node }),
      forgets: true,
    }),
  variants: [
    {
      name: "plain",
      summary: "One shared node, one jump: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    FOUR_VOTES,
    BOTH_BELIEVE_FENCED,
  ],
});
