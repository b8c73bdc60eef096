/** Faults are data: what is broken, for how long. When it starts is the planned fault's trigger. */
import type { NodeName, WorkerId } from "../history/event.ts";
import type { Trigger } from "./trigger.ts";

/**
 * `request`: worker to node; `reply`: node to worker.
 */
export type LinkDirection = "request" | "reply" | "both";

export type Fault =
  /** The process stops between two instructions and goes on later (SIGSTOP, SIGCONT). */
  | { readonly kind: "pause-worker"; readonly worker: WorkerId; readonly forMs: number }
  /** The process dies and does not come back (SIGKILL). */
  | { readonly kind: "crash-worker"; readonly worker: WorkerId }
  /**
   * Links between these workers and nodes are cut. `refuse`: connections are closed and new ones refused.
   * `lose`: what is sent that way vanishes in silence. Without `forMs` it lasts until the run ends.
   */
  | {
      readonly kind: "cut-link";
      readonly workers: readonly WorkerId[];
      readonly nodes: readonly NodeName[];
      readonly how: "refuse" | "lose";
      /** Only with `lose`; default `both`. */
      readonly direction?: LinkDirection;
      readonly forMs?: number;
    }
  /** Every message that way takes `latencyMs` +- `jitterMs` longer. */
  | {
      readonly kind: "slow-link";
      readonly workers: readonly WorkerId[];
      readonly nodes: readonly NodeName[];
      readonly direction: "request" | "reply";
      readonly latencyMs: number;
      readonly jitterMs?: number;
      readonly forMs?: number;
    }
  /** The server process is killed and started again after `downForMs`; never, where that is absent. */
  | { readonly kind: "crash-node"; readonly node: NodeName; readonly downForMs?: number }
  /** As `crash-node`, and what the node's append-only file had not synced is gone. */
  | { readonly kind: "lose-power"; readonly node: NodeName; readonly downForMs?: number }
  /** The server process stops and goes on later. */
  | { readonly kind: "stall-node"; readonly node: NodeName; readonly forMs: number }
  /**
   * The disk of the node acknowledges background syncs (`appendfsync everysec`) without making them durable.
   * Syncs that a client waits for (`always`) are not affected. Without `forMs` it lasts until the run ends.
   */
  | { readonly kind: "hold-sync"; readonly node: NodeName; readonly forMs?: number }
  /** The node's wall clock steps by `byMs`; backward where negative. */
  | { readonly kind: "jump-clock"; readonly node: NodeName; readonly byMs: number }
  /** The node's wall clock runs at `rate`; 1.05 is 5 % fast. Without `forMs` it lasts until the run ends. */
  | {
      readonly kind: "skew-clock";
      readonly node: NodeName;
      readonly rate: number;
      readonly forMs?: number;
    };

export type FaultKind = Fault["kind"];

export interface PlannedFault {
  /** Unique in its run, kebab-case; `fault-applied` and `fault-healed` carry it. */
  readonly id: string;
  readonly when: Trigger;
  readonly fault: Fault;
}

/** The nodes and workers that a fault touches. */
export function faultTargets(fault: Fault): {
  readonly nodes: readonly NodeName[];
  readonly workers: readonly WorkerId[];
} {
  switch (fault.kind) {
    case "pause-worker":
    case "crash-worker":
      return { nodes: [], workers: [fault.worker] };
    case "cut-link":
    case "slow-link":
      return { nodes: fault.nodes, workers: fault.workers };
    case "crash-node":
    case "lose-power":
    case "stall-node":
    case "hold-sync":
    case "jump-clock":
    case "skew-clock":
      return { nodes: [fault.node], workers: [] };
  }
}

/** How long a fault lasts; `undefined` where it does not heal by itself (or has nothing to heal). */
export function faultDurationMs(fault: Fault): number | undefined {
  switch (fault.kind) {
    case "crash-worker":
    case "jump-clock":
      return undefined;
    case "crash-node":
    case "lose-power":
      return fault.downForMs;
    case "pause-worker":
    case "cut-link":
    case "slow-link":
    case "stall-node":
    case "hold-sync":
    case "skew-clock":
      return fault.forMs;
  }
}
