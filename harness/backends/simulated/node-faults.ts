/** What befalls a node in the virtual world. */
import type { NodeFault } from "../../faults/fault-families.ts";
import type { VirtualNode } from "./virtual-node.ts";

export function applyToNode(fault: NodeFault, node: VirtualNode): void {
  switch (fault.kind) {
    case "crash-node":
      node.goDown("killed");
      return;
    case "lose-power":
      node.goDown("power-loss");
      return;
    case "stall-node":
      node.stall();
      return;
    case "hold-sync":
      node.server.holdSync(true);
      return;
    case "jump-clock":
      node.server.jumpClock(fault.byMs);
      return;
    case "skew-clock":
      node.server.setClockRate(fault.rate);
      return;
    case "flush-node":
    case "flush-scripts":
    case "evict-key":
    case "delete-key":
      node.meddle(fault);
      return;
    case "exchange-node":
      node.exchange();
      return;
    case "fail-over":
      node.failOver(fault.replica);
      return;
    case "hold-replication":
      node.holdReplication(fault.replica, true);
      return;
  }
}

export function healNode(fault: NodeFault, node: VirtualNode): void {
  switch (fault.kind) {
    case "crash-node":
    case "lose-power":
      node.comeUp();
      return;
    case "stall-node":
      node.resume();
      return;
    case "hold-sync":
      node.server.holdSync(false);
      return;
    case "skew-clock":
      node.server.setClockRate(1);
      return;
    case "hold-replication":
      node.holdReplication(fault.replica, false);
      return;
    case "jump-clock":
    case "flush-node":
    case "flush-scripts":
    case "evict-key":
    case "delete-key":
    case "exchange-node":
    case "fail-over":
      return;
  }
}
