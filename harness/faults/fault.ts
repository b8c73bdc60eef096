/** Faults are data: what is broken, for how long. When it starts is the planned fault's trigger. */
import type { NodeName, WorkerId } from "../history/event.ts";
import type { Trigger } from "./trigger.ts";

/**
 * `request`: worker to node; `reply`: node to worker.
 */
export type LinkDirection = "request" | "reply" | "both";

export type Fault =
  /**
   * The process stops between two instructions and goes on later (SIGSTOP, SIGCONT). `resumeWith`: what it takes
   * first when it goes on, timers that have come due or replies that have arrived; neither is certain, and where
   * it is not given it is drawn.
   */
  | {
      readonly kind: "pause-worker";
      readonly worker: WorkerId;
      readonly forMs: number;
      readonly resumeWith?: "timers" | "replies";
    }
  /** The machine of the worker stands still, its monotonic clock included; its wall clock has gone on. */
  | { readonly kind: "suspend-worker"; readonly worker: WorkerId; readonly forMs: number }
  /** The wall clock of the worker's machine steps by `byMs`; its monotonic clock does not. */
  | { readonly kind: "jump-worker-clock"; readonly worker: WorkerId; readonly byMs: number }
  /** All clocks of the worker's machine run at `rate`. Without `forMs` it lasts until the run ends. */
  | {
      readonly kind: "skew-worker-clock";
      readonly worker: WorkerId;
      readonly rate: number;
      readonly forMs?: number;
    }
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
  /**
   * Each message that way is lost with the probability `share`, above 0 and at most 1. Without `forMs` it lasts
   * until the run ends.
   */
  | {
      readonly kind: "lossy-link";
      readonly workers: readonly WorkerId[];
      readonly nodes: readonly NodeName[];
      readonly direction: "request" | "reply";
      readonly share: number;
      readonly forMs?: number;
    }
  /**
   * The connections that stand are reset once. What was written before still reaches the node and runs; new
   * connections are made at once, and nothing keeps the order between old and new.
   */
  | {
      readonly kind: "reset-link";
      readonly workers: readonly WorkerId[];
      readonly nodes: readonly NodeName[];
    }
  /** What the worker sends to the protected resource takes `latencyMs` longer. */
  | {
      readonly kind: "slow-resource";
      readonly worker: WorkerId;
      readonly latencyMs: number;
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
    }
  /** Somebody empties the node (FLUSHALL); it does not restart. */
  | { readonly kind: "flush-node"; readonly node: NodeName }
  /** The node forgets its cached scripts (SCRIPT FLUSH). */
  | { readonly kind: "flush-scripts"; readonly node: NodeName }
  /** The node needs memory and gives the key up (maxmemory-policy). */
  | { readonly kind: "evict-key"; readonly node: NodeName; readonly resource: string }
  /** Somebody deletes the key by hand. */
  | { readonly kind: "delete-key"; readonly node: NodeName; readonly resource: string }
  /** The node's address leads to another, empty server from now on. */
  | { readonly kind: "exchange-node"; readonly node: NodeName }
  /**
   * The node's master is gone, and one of its replicas (setting `replicaCount`) is promoted at once: the first
   * or, where `replica` is given, that one, counted from 1. What it had not been sent is forgotten.
   */
  | { readonly kind: "fail-over"; readonly node: NodeName; readonly replica?: number }
  /** A replica of the node gets nothing any more. Without `forMs` it lasts until the run ends. */
  | {
      readonly kind: "hold-replication";
      readonly node: NodeName;
      /** Counted from 1. */
      readonly replica: number;
      readonly forMs?: number;
    }
  /** The counter of fencing tokens fails over to a replica that has not heard of its last `lostCount` numbers. */
  | { readonly kind: "rewind-counter"; readonly lostCount: number };

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
    case "suspend-worker":
    case "jump-worker-clock":
    case "skew-worker-clock":
    case "slow-resource":
      return { nodes: [], workers: [fault.worker] };
    case "cut-link":
    case "slow-link":
    case "lossy-link":
    case "reset-link":
      return { nodes: fault.nodes, workers: fault.workers };
    case "crash-node":
    case "lose-power":
    case "stall-node":
    case "hold-sync":
    case "jump-clock":
    case "skew-clock":
    case "flush-node":
    case "flush-scripts":
    case "evict-key":
    case "delete-key":
    case "exchange-node":
    case "fail-over":
    case "hold-replication":
      return { nodes: [fault.node], workers: [] };
    case "rewind-counter":
      return { nodes: [], workers: [] };
  }
}

/** How long a fault lasts; `undefined` where it does not heal by itself (or has nothing to heal). */
export function faultDurationMs(fault: Fault): number | undefined {
  switch (fault.kind) {
    case "crash-worker":
    case "jump-clock":
    case "jump-worker-clock":
    case "flush-node":
    case "flush-scripts":
    case "evict-key":
    case "delete-key":
    case "exchange-node":
    case "fail-over":
    case "rewind-counter":
      return undefined;
    case "reset-link":
      // New connections are made at once: the links are not out of reach.
      return 0;
    case "crash-node":
    case "lose-power":
      return fault.downForMs;
    case "pause-worker":
    case "suspend-worker":
    case "skew-worker-clock":
    case "cut-link":
    case "slow-link":
    case "lossy-link":
    case "slow-resource":
    case "hold-replication":
    case "stall-node":
    case "hold-sync":
    case "skew-clock":
      return fault.forMs;
  }
}
