/**
 * The schedule that speed is measured with: five nodes, three workers that want one resource again and again, and
 * three faults. It takes some 320 events of the virtual world, and 0.6 s of its time.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { DEFAULT_SETTINGS, type LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { RunPlan } from "../../harness/scenario/run-plan.ts";
import { after, at, planWorker } from "../../harness/scenario/story-parts.ts";

const SETTINGS: LabSettings = DEFAULT_SETTINGS;

const FAULTS: readonly PlannedFault[] = [
  {
    id: "w1-stands-still",
    when: after({ kind: "section-entered", worker: "W1" }, 5),
    fault: { kind: "pause-worker", worker: "W1", forMs: 40, resumeWith: "timers" },
  },
  { id: "e-stands-still", when: at(110), fault: { kind: "stall-node", node: "E", forMs: 60 } },
  {
    id: "w2-is-cut-off",
    when: at(250),
    fault: { kind: "cut-link", workers: ["W2"], nodes: ["A", "B"], how: "refuse", forMs: 80 },
  },
];

const WORKER = { waitMs: 500, acquireCount: 2, grantsMax: 2, workMs: 80, idleMs: 150 } as const;

const WORKERS = ["W1", "W2", "W3"].map((id, index) =>
  planWorker(id, SETTINGS, { ...WORKER, startWhen: at(index * 100) }),
);

export function referencePlan(seed: string): RunPlan {
  return {
    version: 1,
    scenario: "reference",
    variant: "plain",
    seed,
    nodes: nodeNames(SETTINGS.nodeCount),
    strategy: "redlock",
    settings: SETTINGS,
    workers: WORKERS,
    faults: FAULTS,
    staging: [],
    demands: { contention: true, events: [] },
    limitMs: 3000,
  };
}
