/**
 * S43. A control: so many nodes stand still at once that no quorum is left (one slow command on a shared disk, a fork
 * for a snapshot). They lose nothing, not even what they are asked meanwhile: commands wait and run when the nodes go
 * on, each with its undo right behind it. A lifetime counts from when the command runs, so safety holds; what it
 * costs is the time in which nobody can acquire.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { type NamedFault, planInTurn } from "../../harness/scenario/story-parts.ts";
import { blockingNodes, noQuorumStory } from "./no-quorum-story.ts";

const STALL_TTLS = 1.2;

function stalledMajorityStory(settings: LabSettings): Story {
  const { ttlMs } = settings;
  const forMs = Math.round(STALL_TTLS * ttlMs);
  const stalls = blockingNodes(settings).map(
    (node): NamedFault => [`stall-${node.toLowerCase()}`, { kind: "stall-node", node, forMs }],
  );
  return noQuorumStory(settings, {
    faults: planInTurn(stalls),
    lastsTtls: STALL_TTLS,
    back: { kind: "node-resumed" },
    limitMs: 5 * ttlMs + 3000,
  });
}

export const stalledMajority = defineScenario({
  id: "S43",
  title: "A majority stands still",
  summary:
    "A, B and C stand still for longer than a lifetime. Nobody acquires meanwhile, and nothing is left of what was tried.",
  story: stalledMajorityStory,
  variants: [{ name: "plain", summary: "Commands and their undo wait together.", expect: {} }],
});
