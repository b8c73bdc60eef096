/** Simpler faults than a given one: fewer nodes and workers, rounder numbers, plainer triggers. */
import type { Fault, PlannedFault } from "../faults/fault.ts";
import type { Trigger } from "../faults/trigger.ts";
import { roundings } from "./roundings.ts";

export function smallerFaults(planned: PlannedFault): readonly PlannedFault[] {
  const { fault, when } = planned;
  return [
    ...smaller(fault).map((each) => ({ ...planned, fault: each })),
    ...plainer(when).map((each) => ({ ...planned, when: each })),
  ];
}

function plainer(when: Trigger): readonly Trigger[] {
  if (when.kind === "at") return roundings(when.atMs).map((atMs) => ({ ...when, atMs }));
  if (when.kind !== "after" || when.delayMs === undefined) return [];
  return roundings(when.delayMs).map((delayMs) => ({ ...when, delayMs }));
}

/** Lengths of time and steps that a fault may have; a length stays above 0. */
const NUMBERS = ["forMs", "downForMs", "latencyMs", "byMs"] as const;

function smaller(fault: Fault): readonly Fault[] {
  const fewer: Fault[] = [];
  if ("nodes" in fault && fault.nodes.length > 1) {
    fewer.push(
      ...fault.nodes.map((gone) => ({ ...fault, nodes: fault.nodes.filter((node) => node !== gone) })),
    );
  }
  if ("workers" in fault && fault.workers.length > 1) {
    fewer.push(
      ...fault.workers.map((gone) => ({ ...fault, workers: fault.workers.filter((id) => id !== gone) })),
    );
  }
  for (const name of NUMBERS) {
    const value: unknown = name in fault ? Reflect.get(fault, name) : undefined;
    if (typeof value !== "number") continue;
    const rounder = roundings(Math.abs(value)).filter((ms) => ms > 0);
    fewer.push(...rounder.map((ms) => ({ ...fault, [name]: Math.sign(value) * ms })));
  }
  return fewer;
}
