/** What the lab and its worker processes say to each other, one JSON line each. */
import type { NodeName, WorkerEvent } from "../../../history/event.ts";
import type { WorkerPlan } from "../../../workload/worker-plan.ts";

/** The first line to a worker. The second is `go`; the end of the stream tells it to leave. */
export interface WorkerInit {
  readonly kind: "init";
  readonly plan: WorkerPlan;
  /** The nodes of its membership in the order of their names, as this worker reaches them. */
  readonly nodes: readonly { readonly name: NodeName; readonly url: string }[];
  readonly quorum: number;
  readonly nodeTimeoutMs: number;
  readonly driftFactor: number;
  /** Absent: the restart guard is off. */
  readonly longestLifetimeMs?: number;
  /** The counter that fencing tokens are drawn from; absent: no tokens. */
  readonly counterUrl?: string;
  readonly resourcePort: number;
}

/** Starts the procedure; times count from the origin, in nanoseconds of `process.hrtime`, as digits. */
export interface WorkerGo {
  readonly kind: "go";
  readonly originNs: string;
}

export type WorkerMessage =
  /** All nodes have answered; the worker can go. */
  | { readonly kind: "ready" }
  | { readonly kind: "event"; readonly atMs: number; readonly event: WorkerEvent }
  /** The worker cannot go on: a fault of the lab, not of the story. */
  | { readonly kind: "fault"; readonly sentence: string };

export function isWorkerInit(message: unknown): message is WorkerInit {
  return hasKind(message) && message.kind === "init";
}

export function isWorkerGo(message: unknown): message is WorkerGo {
  return hasKind(message) && message.kind === "go";
}

export function isWorkerMessage(message: unknown): message is WorkerMessage {
  if (!hasKind(message)) return false;
  return message.kind === "ready" || message.kind === "event" || message.kind === "fault";
}

function hasKind(message: unknown): message is { readonly kind: unknown } {
  return typeof message === "object" && message !== null && "kind" in message;
}
