/** A fault in a few words, for the timeline and for sentences. */
import type { Fault } from "../faults/fault.ts";
import {
  isLinkFault,
  isWorkerFault,
  type LinkFault,
  type NodeFault,
  type WorkerFault,
} from "../faults/fault-families.ts";
import { signedText } from "./quantity-text.ts";

const PERCENT = 100;

export function faultText(fault: Fault): string {
  if (fault.kind === "rewind-counter") return `counter loses ${fault.lostCount}`;
  if (isWorkerFault(fault)) return workerFaultText(fault);
  return isLinkFault(fault) ? linkFaultText(fault) : nodeFaultText(fault);
}

function workerFaultText(fault: WorkerFault): string {
  switch (fault.kind) {
    case "pause-worker":
      return `${fault.worker} paused ${fault.forMs} ms`;
    case "suspend-worker":
      return `${fault.worker}'s machine suspended ${fault.forMs} ms`;
    case "crash-worker":
      return `${fault.worker} killed`;
    case "jump-worker-clock":
      return `${fault.worker} wall clock ${signedText(fault.byMs)} ms`;
    case "skew-worker-clock":
      return `${fault.worker} clocks x${fault.rate}`;
    case "slow-resource":
      return `${fault.worker} to the resource +${fault.latencyMs} ms`;
  }
}

function linkFaultText(fault: LinkFault): string {
  switch (fault.kind) {
    case "cut-link":
      return `${fault.workers.join(",")} cut off from ${fault.nodes.join(",")}${waysText(fault)}`;
    case "slow-link":
      return `${fault.workers.join(",")} ${fault.direction === "request" ? "to" : "from"} ${fault.nodes.join(",")} +${fault.latencyMs} ms`;
    case "lossy-link":
      return `${fault.workers.join(",")} ${fault.direction === "request" ? "to" : "from"} ${fault.nodes.join(",")} loses ${Math.round(fault.share * PERCENT)} %`;
    case "reset-link":
      return `${fault.workers.join(",")} to ${fault.nodes.join(",")} reset`;
  }
}

function nodeFaultText(fault: NodeFault): string {
  switch (fault.kind) {
    case "crash-node":
      return `${fault.node} killed`;
    case "lose-power":
      return `${fault.node} loses power`;
    case "stall-node":
      return `${fault.node} stalled ${fault.forMs} ms`;
    case "hold-sync":
      return `${fault.node} syncs nothing`;
    case "jump-clock":
      return `${fault.node} clock ${signedText(fault.byMs)} ms`;
    case "skew-clock":
      return `${fault.node} clock x${fault.rate}`;
    case "flush-node":
      return `${fault.node} emptied`;
    case "flush-scripts":
      return `${fault.node} forgets its scripts`;
    case "evict-key":
      return `${fault.node} evicts ${fault.resource}`;
    case "delete-key":
      return `${fault.node}: ${fault.resource} deleted by hand`;
    case "exchange-node":
      return `${fault.node} exchanged for an empty server`;
    case "fail-over":
      return `${fault.node} fails over${fault.replica === undefined ? "" : ` to replica ${fault.replica}`}`;
    case "hold-replication":
      return `${fault.node} sends replica ${fault.replica} nothing`;
  }
}

function waysText({ how, direction = "both" }: Extract<Fault, { readonly kind: "cut-link" }>): string {
  return how === "lose" && direction !== "both"
    ? ` (${direction === "request" ? "requests" : "replies"})`
    : "";
}
