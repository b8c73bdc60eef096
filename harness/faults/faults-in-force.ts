/**
 * Which faults hold the same thing at the moment: a node is down until everything that keeps it down is over, not
 * until the first of it is. Links need none of this: their faults lie on them side by side.
 */
import type { Fault, PlannedFault } from "./fault.ts";

export class FaultsInForce {
  readonly #byHold = new Map<string, readonly PlannedFault[]>();

  /** @returns the fault that holds the same already; `undefined` where there is none. */
  apply(planned: PlannedFault): PlannedFault | undefined {
    const hold = holdOf(planned.fault);
    if (hold === undefined) return undefined;
    const before = this.#byHold.get(hold) ?? [];
    this.#byHold.set(hold, [...before, planned]);
    return before.at(-1);
  }

  /** @returns the fault that goes on holding the same; `undefined` where it is free now. */
  heal(planned: PlannedFault): PlannedFault | undefined {
    const hold = holdOf(planned.fault);
    if (hold === undefined) return undefined;
    const left = (this.#byHold.get(hold) ?? []).filter(({ id }) => id !== planned.id);
    this.#byHold.set(hold, left);
    return left.at(-1);
  }
}

/** What a fault holds as long as it lasts; `undefined` where it lasts not at all, or holds nothing for itself. */
function holdOf(fault: Fault): string | undefined {
  switch (fault.kind) {
    case "crash-node":
    case "lose-power":
      return `node ${fault.node} down`;
    case "stall-node":
    case "hold-sync":
    case "skew-clock":
      return `node ${fault.node} ${fault.kind}`;
    case "hold-replication":
      return `node ${fault.node} replica ${fault.replica}`;
    case "pause-worker":
    case "suspend-worker":
    case "skew-worker-clock":
      return `worker ${fault.worker} ${fault.kind}`;
    default:
      return undefined;
  }
}
