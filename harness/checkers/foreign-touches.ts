/** Deletes and extensions of what was not theirs to touch: somebody else's key, or a value not yet ended. */
import type { EventOf } from "../history/event.ts";
import { eventsAmong } from "../history/events-of.ts";
import { isGuardKey } from "../history/guard-silences.ts";
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import { keyLives } from "../history/key-lives.ts";
import { isBefore, momentOf } from "../history/moment.ts";
import type { Evidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

type Touch = EventOf<"key-raised"> | EventOf<"key-deleted">;

/** Flushes and evictions are faults of the node, not touches of a client. */
export function findForeignTouches(history: History): readonly Evidence[] {
  const holds = new Map(holdsOf(history).map((hold) => [hold.value, hold]));
  const touches = eventsAmong(history, ["key-raised", "key-deleted"]).flatMap((touch) => {
    if (!isByCommand(touch) || isGuardKey(touch.resource)) return [];
    const fault = faultOf(touch, holds, history.header.nodeStampUncertaintyMs);
    return fault === undefined ? [] : [evidenceOf(touch, fault, holds)];
  });
  return [...touches, ...overwrites(history, holds)].sort((left, right) => left.fromMs - right.fromMs);
}

type Holds = ReadonlyMap<string, Hold>;

function isByCommand(touch: Touch): boolean {
  return touch.kind === "key-raised" || touch.cause === "command";
}

function faultOf(touch: Touch, holds: Holds, uncertaintyMs: number): string | undefined {
  const { claimedValue, value } = touch;
  if (claimedValue !== undefined && claimedValue !== value)
    return `in the name of ${ownerOf(claimedValue, holds)}`;
  const hold = holds.get(value);
  const isOwnExtension = touch.kind === "key-raised" && claimedValue !== undefined;
  if (isOwnExtension || hold === undefined || !isBelieved(hold, touch, uncertaintyMs)) return undefined;
  const until = `, which was believed until ${formatMs(hold.believedUntil.atMs)}`;
  return claimedValue === undefined
    ? `by a command that compared nothing${until}`
    : `in its own name${until}`;
}

/** A value may be touched without comparing only when it is ended; with exact stamps the order of the run decides ties. */
function isBelieved({ believedUntil }: Hold, touch: Touch, uncertaintyMs: number): boolean {
  return uncertaintyMs === 0
    ? isBefore(momentOf(touch), believedUntil)
    : touch.atMs < believedUntil.atMs - uncertaintyMs;
}

function evidenceOf(touch: Touch, fault: string, holds: Holds): Evidence {
  const { node, value, atMs, seq } = touch;
  const did = touch.kind === "key-raised" ? "was extended" : "was deleted";
  return {
    sentence: `the key of ${ownerOf(value, holds)} on ${node} ${did} at ${formatMs(atMs)} ${fault}`,
    fromMs: atMs,
    toMs: atMs,
    seqs: [seq],
  };
}

/** A key that is set over a live one of another value deletes it. */
function overwrites(history: History, holds: Holds): readonly Evidence[] {
  const locks = keyLives(history).filter(({ resource }) => !isGuardKey(resource));
  return locks.flatMap(({ node, value, toMs, end, seqs }) =>
    end.kind === "overwritten" && end.remainingMs > history.header.nodeStampUncertaintyMs
      ? [
          {
            sentence:
              `the key of ${ownerOf(value, holds)} on ${node} was overwritten at ${formatMs(toMs)} ` +
              `by one of ${ownerOf(end.byValue, holds)}`,
            fromMs: toMs,
            toMs,
            seqs,
          },
        ]
      : [],
  );
}

function ownerOf(value: string, holds: Holds): string {
  const hold = holds.get(value);
  return hold === undefined ? `value ${value}` : `${hold.worker} (${hold.id})`;
}
