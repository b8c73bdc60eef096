/**
 * A history as operations of a mutex, for judges that know nothing of deadlines: what was declared of each hold is
 * one acquire, which takes effect at its return at the latest, and one release, which takes effect at the end of the
 * belief at the earliest. A hold that nobody ever believed in is none.
 */
import type { HoldId, WorkerId } from "../history/event.ts";
import { callsOf } from "../history/calls.ts";
import type { History } from "../history/history.ts";
import { type Hold, type HoldEnding, holdsOf } from "../history/holds.ts";
import { earlierOf, isBefore, laterOf, type Moment, momentOf, type Span } from "../history/moment.ts";

export interface LockOperation {
  readonly kind: "acquire" | "release";
  readonly hold: HoldId;
  readonly worker: WorkerId;
  readonly resource: string;
  readonly called: Moment;
  /** Never before `called`; absent where it never came back. */
  readonly returned: Moment | undefined;
  /** Of a release: what ended the belief. */
  readonly because: HoldEnding | undefined;
}

interface CallMoments {
  readonly acquired: ReadonlyMap<HoldId, Moment>;
  /** `undefined` in it: the release never came back. */
  readonly released: ReadonlyMap<HoldId, Moment | undefined>;
}

/** Acquire and release of each belief in turn, hold by hold. */
export function lockOperationsOf(history: History): readonly LockOperation[] {
  const moments = callMomentsOf(history);
  const isEmpty = ({ from, to }: Span): boolean => from.atMs === to.atMs && !isOrdered(history);
  return holdsOf(history).flatMap((hold) =>
    operationsOf({ ...hold, declared: hold.declared.filter((span) => !isEmpty(span)) }, moments),
  );
}

/** Where the stamps of nodes are uncertain the run has no one order, and moments of one time are equal. */
function isOrdered({ header }: History): boolean {
  return header.nodeStampUncertaintyMs === 0;
}

/** An extension that revives a dead lock is an acquire: rivals may have held it in between. */
function operationsOf(hold: Hold, { acquired, released }: CallMoments): readonly LockOperation[] {
  const { id, worker, resource } = hold;
  const last = hold.declared.length - 1;
  return hold.declared.flatMap(({ from, to }, index): readonly LockOperation[] => {
    const before = hold.declared[index - 1]?.to ?? acquired.get(id) ?? from;
    const isReleased = index === last && hold.ending === "released";
    const back = isReleased && released.has(id) ? released.get(id) : to;
    const same = { hold: id, worker, resource };
    return [
      { ...same, kind: "acquire", called: earlierOf(before, from), returned: from, because: undefined },
      {
        ...same,
        kind: "release",
        called: to,
        returned: back === undefined ? undefined : laterOf(back, to),
        because: index === last ? hold.ending : "expired",
      },
    ];
  });
}

function callMomentsOf(history: History): CallMoments {
  const released = new Map<HoldId, Moment | undefined>();
  const invoked = new Map<string, Moment>();
  for (const call of callsOf(history)) {
    if (call.kind === "acquire") invoked.set(call.id, call.invoked);
    if (call.kind === "release" && !released.has(call.hold)) {
      released.set(call.hold, call.returned?.moment);
    }
  }
  const acquired = new Map<HoldId, Moment>();
  for (const event of history.events) {
    if (event.kind !== "acquire-granted") continue;
    acquired.set(event.hold, invoked.get(event.call) ?? momentOf(event));
  }
  return { acquired, released };
}

/** The place of each moment among all of them, counted from 0; equal moments share one. */
export function ranksOf(moments: readonly Moment[], history: History): (moment: Moment) => number {
  const comparable = (moment: Moment): Moment =>
    isOrdered(history) ? moment : { atMs: moment.atMs, seq: 0 };
  const nameOf = ({ atMs, seq }: Moment): string => `${atMs} ${seq}`;
  const sorted = moments.map(comparable).sort(byTime);
  const ranks = new Map<string, number>();
  for (const moment of sorted) {
    const name = nameOf(moment);
    if (!ranks.has(name)) ranks.set(name, ranks.size);
  }
  return (moment) => ranks.get(nameOf(comparable(moment))) ?? ranks.size;
}

function byTime(left: Moment, right: Moment): number {
  if (isBefore(left, right)) return -1;
  return isBefore(right, left) ? 1 : 0;
}
