/** Faults by what they befall: a worker and its machine, links between workers and nodes, or a node. */
import type { Fault, FaultKind } from "./fault.ts";

export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>;

const WORKER_KINDS = [
  "pause-worker",
  "suspend-worker",
  "crash-worker",
  "jump-worker-clock",
  "skew-worker-clock",
  "slow-resource",
] as const satisfies FaultKind[];
const LINK_KINDS = ["cut-link", "slow-link", "lossy-link", "reset-link"] as const satisfies FaultKind[];

export type WorkerFault = FaultOf<(typeof WORKER_KINDS)[number]>;
export type LinkFault = FaultOf<(typeof LINK_KINDS)[number]>;
export type NodeFault = Exclude<Fault, WorkerFault | LinkFault | FaultOf<"rewind-counter">>;

export function isWorkerFault(fault: Fault): fault is WorkerFault {
  return WORKER_KINDS.some((kind) => kind === fault.kind);
}

export function isLinkFault(fault: Fault): fault is LinkFault {
  return isLinkKind(fault.kind);
}

export function isLinkKind(kind: string): boolean {
  return LINK_KINDS.some((linkKind) => linkKind === kind);
}
