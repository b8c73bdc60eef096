/** The boundaries between the events of a run, as triggers: what happens there happens right after that event. */
import type { Fault } from "../../faults/fault.ts";
import { faultTargets } from "../../faults/fault.ts";
import type { Trigger } from "../../faults/trigger.ts";
import type { HistoryEvent } from "../../history/event.ts";
import { isGuardKey } from "../../history/guard-silences.ts";

/** A place between two events. */
export interface Boundary {
  readonly when: Trigger;
  /** The event that it comes after. */
  readonly after: HistoryEvent;
  /** Nothing more happens in this instant. */
  readonly isLastOfInstant: boolean;
}

const LAB_KINDS: ReadonlySet<string> = new Set(["fault-applied", "fault-healed"]);

/** @param fromSeq only boundaries behind this event. */
export function boundariesOf(events: readonly HistoryEvent[], fromSeq = -1): readonly Boundary[] {
  const counts = new Map<string, number>();
  const boundaries: Boundary[] = [];
  for (const [index, event] of events.entries()) {
    // What comes after the story starts nothing any more.
    if (event.kind === "story-ended") break;
    if (LAB_KINDS.has(event.kind)) continue;
    const names = {
      kind: event.kind,
      ...("worker" in event ? { worker: event.worker } : {}),
      ...("node" in event ? { node: event.node } : {}),
    };
    const key = JSON.stringify(names);
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    // A guard is read and written in the same step as the lock.
    if (event.seq <= fromSeq || ("resource" in event && isGuardKey(event.resource))) continue;
    const isLastOfInstant = events[index + 1]?.atMs !== event.atMs;
    boundaries.push({ when: { kind: "after", event: names, nth }, after: event, isLastOfInstant });
  }
  return boundaries;
}

/**
 * Whether a fault there may come out differently from the one at the next boundary: what befalls a node commutes
 * with what others do in the same instant, and so does what befalls a worker.
 */
export function isDistinctFor(fault: Fault, { after, isLastOfInstant }: Boundary): boolean {
  if (isLastOfInstant) return true;
  const { nodes, workers } = faultTargets(fault);
  return (
    ("node" in after && nodes.includes(after.node)) || ("worker" in after && workers.includes(after.worker))
  );
}
