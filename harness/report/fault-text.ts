/** A fault in a few words, for the timeline and for sentences. */
import type { Fault } from "../faults/fault.ts";
import { signedText } from "./quantity-text.ts";

export function faultText(fault: Fault): string {
  switch (fault.kind) {
    case "pause-worker":
      return `${fault.worker} paused ${fault.forMs} ms`;
    case "crash-worker":
      return `${fault.worker} killed`;
    case "cut-link":
      return `${fault.workers.join(",")} cut off from ${fault.nodes.join(",")}${waysText(fault)}`;
    case "slow-link":
      return `${fault.workers.join(",")} ${fault.direction === "request" ? "to" : "from"} ${fault.nodes.join(",")} +${fault.latencyMs} ms`;
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
  }
}

function waysText({ how, direction = "both" }: Extract<Fault, { readonly kind: "cut-link" }>): string {
  return how === "lose" && direction !== "both"
    ? ` (${direction === "request" ? "requests" : "replies"})`
    : "";
}
