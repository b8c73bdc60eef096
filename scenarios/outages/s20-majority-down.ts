/**
 * S20. So many nodes are out of reach, for two lifetimes, that no quorum is left. No acquire may succeed in that
 * time, each must come back with an answer in its own time, and soon after the nodes are back somebody must win.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { planInTurn } from "../../harness/scenario/story-parts.ts";
import { blockingNodes, noQuorumStory } from "./no-quorum-story.ts";
import { outageFaults } from "./outage-faults.ts";

const OUTAGE_TTLS = 2;

function majorityDownStory(settings: LabSettings): Story {
  const forMs = OUTAGE_TTLS * settings.ttlMs;
  const nodes = blockingNodes(settings);
  return noQuorumStory(settings, {
    faults: planInTurn(outageFaults(settings, { workers: ["W1", "W2"], nodes, forMs })),
    lastsTtls: OUTAGE_TTLS,
    back: { kind: "fault-healed" },
    shown: [{ kind: "fault-healed" }],
    limitMs: 3 * forMs + 3000,
  });
}

export const majorityDown = defineScenario({
  id: "S20",
  title: "Majority down, then back",
  summary:
    "A, B and C are out of reach for two lifetimes. Nobody acquires; every call comes back in time; soon after they are back somebody does.",
  story: majorityDownStory,
  variants: [
    {
      name: "refused",
      summary: "Connections to A, B and C are refused.",
      settings: { outage: "refuse" },
      expect: {},
    },
    {
      name: "black-holed",
      summary: "What is sent to A, B and C vanishes.",
      settings: { outage: "lose" },
      expect: {},
    },
    {
      name: "killed",
      summary: "A, B and C are killed and restarted.",
      settings: { outage: "kill" },
      expect: {},
    },
  ],
});
