/**
 * S43. A control: so many nodes stand still at once that no quorum is left (one slow command on a shared disk, a fork
 * for a snapshot). They lose nothing, not even what they are asked meanwhile: commands wait and run when the nodes go
 * on, each with its undo right behind it. A lifetime counts from when the command runs, so safety holds; what it
 * costs is the time in which nobody can acquire.
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

const STALL_TTLS = 1.2;
/** Short, so that several calls end during the stall. */
const WAIT_SHARE = 0.3;
/** Enough to outlast the stall three times over. */
const ACQUIRES_PER_WORKER = Math.ceil((3 * STALL_TTLS) / WAIT_SHARE);
const WORK_MS = 100;

function stalledMajorityStory(settings: LabSettings): Story {
  const { nodeCount, quorum, ttlMs } = settings;
  const forMs = Math.round(STALL_TTLS * ttlMs);
  const faults = planInTurn(
    nodeNames(nodeCount)
      .slice(0, nodeCount - quorum + 1)
      .map((node) => [`stall-${node.toLowerCase()}`, { kind: "stall-node", node, forMs }]),
  );
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
    staging: [{ kind: "order", earlier: { kind: "node-resumed" }, later: { kind: "write-invoked" } }],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        { kind: "acquire-failed", worker: "W1" },
        { kind: "acquire-failed", worker: "W2" },
        { kind: "acquire-granted", worker: "W1" },
        { kind: "acquire-granted", worker: "W2" },
      ],
    },
    limitMs: 5 * ttlMs + 3000,
  };
}

export const stalledMajority = defineScenario({
  id: "S43",
  title: "A majority stands still",
  summary:
    "A, B and C stand still for longer than a lifetime. Nobody acquires meanwhile, and nothing is left of what was tried.",
  story: stalledMajorityStory,
  variants: [{ name: "plain", summary: "Commands and their undo wait together.", expect: {} }],
});
