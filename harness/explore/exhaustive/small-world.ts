/** Two workers who both want one resource, on few nodes, with nothing left to chance. */
import type { PlannedFault } from "../../faults/fault.ts";
import type { Trigger } from "../../faults/trigger.ts";
import { DEFAULT_SETTINGS } from "../../scenario/lab-settings.ts";
import { nodeNames } from "../../scenario/node-names.ts";
import type { MessagePlan, RunPlan } from "../../scenario/run-plan.ts";
import { majorityOf } from "../../scenario/settings-rules.ts";
import { WORKER_DEFAULTS, type WorkerPlan } from "../../workload/worker-plan.ts";
import { mayBeGuarded } from "../allowance.ts";
import type { Bound } from "./bound.ts";

export const TTL_MS = 100;
const NODE_TIMEOUT_MS = 20;
const PROMPT_MS = 1;
/** Behind the node timeout, and within the lifetime. */
const LATE_MS = 30;
const WORK_MS = 20;
const LIMIT_MS = 2_000;

/** What one schedule of the bound is made of. */
export interface Choice {
  /** When the second worker starts. */
  readonly start: Trigger;
  readonly faults: readonly PlannedFault[];
  readonly unprompt: MessagePlan["unprompt"];
}

export function planOf({ start, faults, unprompt }: Choice, { nodeCount, strategy, allow }: Bound): RunPlan {
  return {
    version: 1,
    scenario: "exhaustive",
    variant: allow.length === 0 ? "envelope" : allow.join("-"),
    seed: "exhaustive",
    nodes: nodeNames(nodeCount),
    strategy,
    settings: {
      ...DEFAULT_SETTINGS,
      nodeCount,
      quorum: majorityOf(nodeCount),
      ttlMs: TTL_MS,
      nodeTimeoutMs: NODE_TIMEOUT_MS,
      replicaCount: allow.includes("fail-over") ? 1 : 0,
      restartGuard: mayBeGuarded(allow),
      persistence: allow.includes("power-loss") ? "aof-everysec" : "none",
    },
    // The first worker extends what it holds; both let go in the end.
    workers: [
      worker("W1", { startWhen: { kind: "at", atMs: 0 }, extendMs: TTL_MS }),
      worker("W2", { startWhen: start }),
    ],
    faults,
    staging: [],
    demands: { contention: true, events: [] },
    limitMs: LIMIT_MS,
    messages: { promptMs: PROMPT_MS, lateMs: LATE_MS, unprompt },
  };
}

function worker(id: string, own: Partial<WorkerPlan> & Pick<WorkerPlan, "startWhen">): WorkerPlan {
  return { ...WORKER_DEFAULTS, id, ttlMs: TTL_MS, workMs: WORK_MS, ...own };
}
