/**
 * S19. A control: as many nodes are out of reach as the quorum can spare. Every acquire must succeed with one
 * attempt, and before a node timeout is over, because all nodes are asked at once and nobody waits for the silent ones.
 */
import { UsageError } from "../../harness/lab-error.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  appliedEvents,
  granted,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { outageFaults } from "./outage-faults.ts";

const GRANT_COUNT = 3;

function minorityDownStory(settings: LabSettings): Story {
  const { nodeCount, quorum, ttlMs, nodeTimeoutMs } = settings;
  const nodes = nodeNames(nodeCount);
  const spare = nodes.slice(quorum);
  if (spare.length === 0) {
    throw new UsageError(`S19 needs a node that may fail, but a quorum of ${quorum} takes all ${nodeCount}.`);
  }
  const faults = planInTurn(outageFaults(settings, { workers: ["W1"], nodes: spare }));

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(faults),
        acquireCount: GRANT_COUNT,
        grantsMax: GRANT_COUNT,
      }),
    ],
    faults,
    // Nothing but the faults has to come about: that W1 is granted at all is what is on trial.
    staging: [],
    demands: {
      contention: false,
      events: [...appliedEvents(faults), granted("W1")],
      promptAcquires: { medianBelowMs: nodeTimeoutMs },
    },
    limitMs: 3 * ttlMs + 20 * nodeTimeoutMs + 2000,
  };
}

export const minorityDown = defineScenario({
  id: "S19",
  title: "Minority down",
  summary: "D and E are out of reach. Every acquire succeeds on A, B and C at the first attempt.",
  story: minorityDownStory,
  variants: [
    {
      name: "refused",
      summary: "Connections to D and E are refused.",
      settings: { outage: "refuse" },
      expect: {},
    },
    {
      name: "black-holed",
      summary: "What is sent to D and E vanishes.",
      settings: { outage: "lose" },
      expect: {},
    },
    { name: "killed", summary: "D and E are killed.", settings: { outage: "kill" }, expect: {} },
  ],
});
