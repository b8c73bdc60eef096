/**
 * S20. So many nodes are out of reach, for two lifetimes, that no quorum is left. No acquire may succeed in that
 * time, each must come back with an answer in its own time, and soon after the nodes are back somebody must win.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { outageFaults } from "./outage-faults.ts";

const OUTAGE_TTLS = 2;
/** Short, so that several calls end during the outage. */
const WAIT_SHARE = 0.3;
/** Enough to outlast the outage three times over. */
const ACQUIRES_PER_WORKER = Math.ceil((3 * OUTAGE_TTLS) / WAIT_SHARE);
/** Longer than the lab takes to notice that a node is back: see the staging. */
const WORK_MS = 100;

function majorityDownStory(settings: LabSettings): Story {
  const { nodeCount, quorum, ttlMs } = settings;
  const down = nodeNames(nodeCount).slice(0, nodeCount - quorum + 1);
  const outageMs = OUTAGE_TTLS * ttlMs;
  const faults = planInTurn(outageFaults(settings, { workers: ["W1", "W2"], nodes: down, forMs: outageMs }));
  const plan = {
    waitMs: Math.round(ttlMs * WAIT_SHARE),
    acquireCount: ACQUIRES_PER_WORKER,
    workMs: WORK_MS,
  };

  return {
    workers: [
      planWorker("W1", settings, { startWhen: whenAllHold(faults), ...plan }),
      planWorker("W2", settings, { startWhen: after({ kind: "worker-started", worker: "W1" }, 30), ...plan }),
    ],
    faults,
    staging: [
      // The write and not the grant: a worker can reach a node a little before the lab knows that it is back.
      { kind: "order", earlier: { kind: "fault-healed" }, later: { kind: "write-invoked" } },
    ],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        { kind: "fault-healed" },
        { kind: "acquire-failed", worker: "W1" },
        { kind: "acquire-failed", worker: "W2" },
        { kind: "acquire-granted", worker: "W1" },
        { kind: "acquire-granted", worker: "W2" },
      ],
    },
    limitMs: 3 * outageMs + 3000,
  };
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
