/** The events of one kind, from an index that is made once: checkers look for a few among hundreds. */
import type { EventKind, EventOf, HistoryEvent } from "./event.ts";
import type { History } from "./history.ts";
import { oncePerHistory } from "./once-per-history.ts";

const eventsByKind = oncePerHistory(({ events }) => {
  const groups = new Map<EventKind, HistoryEvent[]>();
  for (const event of events) {
    const group = groups.get(event.kind);
    if (group === undefined) groups.set(event.kind, [event]);
    else group.push(event);
  }
  return groups;
});

const NONE: readonly never[] = [];

/** In the order of the run. */
export function eventsOf<Kind extends EventKind>(history: History, kind: Kind): readonly EventOf<Kind>[] {
  const group = eventsByKind(history).get(kind);
  return group === undefined ? NONE : group.filter((event): event is EventOf<Kind> => event.kind === kind);
}

/** The events of several rare kinds, in the order of the run: where there is none, nothing is gone through. */
export function eventsAmong<Kind extends EventKind>(
  history: History,
  kinds: readonly Kind[],
): readonly EventOf<Kind>[] {
  const groups = kinds.map((kind) => eventsOf(history, kind)).filter(({ length }) => length > 0);
  const [first, second] = groups;
  if (first === undefined) return NONE;
  return second === undefined ? first : groups.flat().sort((left, right) => left.seq - right.seq);
}

export function hasEvent(history: History, kind: EventKind): boolean {
  return eventsByKind(history).has(kind);
}
