/**
 * Points and spans of a run. Two events of one millisecond are told apart by their sequence; a deadline has
 * none and comes before every event of its millisecond, because spans are half-open.
 */
import type { HistoryEvent } from "./event.ts";

export interface Moment {
  readonly atMs: number;
  readonly seq: number;
}

/** Half-open: `from` belongs to it, `to` does not. */
export interface Span {
  readonly from: Moment;
  readonly to: Moment;
}

const BEFORE_EVENTS_SEQ = -1;

/** A point of time that is no event: a deadline. */
export function momentAt(atMs: number): Moment {
  return { atMs, seq: BEFORE_EVENTS_SEQ };
}

export function momentOf({ atMs, seq }: HistoryEvent): Moment {
  return { atMs, seq };
}

export function isBefore(left: Moment, right: Moment): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.seq < right.seq);
}

export function earlierOf(left: Moment, right: Moment): Moment {
  return isBefore(right, left) ? right : left;
}

export function laterOf(left: Moment, right: Moment): Moment {
  return isBefore(left, right) ? right : left;
}

/** The last thing that is known of a run; what would come after it cannot be judged. */
export function endOfRun(events: readonly HistoryEvent[]): Moment {
  const last = events.at(-1);
  return last === undefined ? momentAt(0) : momentOf(last);
}
