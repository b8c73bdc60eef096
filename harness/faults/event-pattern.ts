/** Which event of a run is meant: its kind and, where given, its worker, node, fault and count. */
import type { EventKind, HistoryEvent, NodeName, WorkerId } from "../history/event.ts";

export interface EventPattern {
  readonly kind: EventKind;
  readonly worker?: WorkerId;
  readonly node?: NodeName;
  readonly fault?: string;
}

export function matchesPattern(event: HistoryEvent, pattern: EventPattern): boolean {
  if (event.kind !== pattern.kind) return false;
  if (pattern.worker !== undefined && !("worker" in event && event.worker === pattern.worker)) return false;
  if (pattern.node !== undefined && !("node" in event && event.node === pattern.node)) return false;
  return pattern.fault === undefined || ("fault" in event && event.fault === pattern.fault);
}
