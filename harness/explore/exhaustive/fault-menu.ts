/** The faults that are tried at every boundary: one of each kind for each worker or node that it may befall. */
import type { Fault } from "../../faults/fault.ts";
import { nodeNames } from "../../scenario/node-names.ts";
import { WORKER_DEFAULTS } from "../../workload/worker-plan.ts";
import { type Allowance, mayBeGuarded } from "../allowance.ts";
import type { Bound } from "./bound.ts";
import { TTL_MS } from "./small-world.ts";

const WORKERS = ["W1", "W2"];
/** Longer than a lifetime. */
const LONG_MS = 130;
const SHORT_MS = 10;
const STEP_MS = 1_000;
const DRIFT_RATE = 2;
const { resource } = WORKER_DEFAULTS;

export function faultMenu({ nodeCount, allow }: Bound): readonly Fault[] {
  const nodes = nodeNames(nodeCount);
  return [
    ...WORKERS.flatMap((worker): Fault[] => [
      { kind: "pause-worker", worker, forMs: LONG_MS, resumeWith: "timers" },
      { kind: "pause-worker", worker, forMs: LONG_MS, resumeWith: "replies" },
      { kind: "crash-worker", worker },
    ]),
    ...nodes.flatMap((node): Fault[] => [
      // Under the guard a node may be back at once, without its keys.
      { kind: "crash-node", node, downForMs: mayBeGuarded(allow) ? SHORT_MS : TTL_MS },
      { kind: "stall-node", node, forMs: LONG_MS },
      ...WORKERS.map((worker): Fault => ({ kind: "reset-link", workers: [worker], nodes: [node] })),
    ]),
    ...allow.flatMap((allowance) => beyond(allowance, nodes)),
  ];
}

function beyond(allowance: Allowance, nodes: readonly string[]): readonly Fault[] {
  switch (allowance) {
    case "suspend":
      return WORKERS.map((worker) => ({ kind: "suspend-worker", worker, forMs: LONG_MS }));
    case "clock-jump":
      return nodes.map((node) => ({ kind: "jump-clock", node, byMs: STEP_MS }));
    case "drift":
      return nodes.map((node) => ({ kind: "skew-clock", node, rate: DRIFT_RATE, forMs: LONG_MS }));
    case "restart-empty":
      return nodes.map((node) => ({ kind: "crash-node", node, downForMs: SHORT_MS }));
    case "power-loss":
      return nodes.map((node) => ({ kind: "lose-power", node, downForMs: SHORT_MS }));
    case "fail-over":
      return nodes.map((node) => ({ kind: "fail-over", node }));
    case "exchange":
      return nodes.map((node) => ({ kind: "exchange-node", node }));
    case "eviction":
      return nodes.map((node) => ({ kind: "evict-key", node, resource }));
    case "flush":
      return nodes.map((node) => ({ kind: "flush-node", node }));
  }
}
