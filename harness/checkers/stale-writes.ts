/**
 * I3: did the protected resource accept something stale? Holds are ranked by when they became the newest: the
 * return of the acquire, or the deadline that was known then where that had passed already, so that a worker
 * which came back late stays the older one. Who reads and shows its token ranks as who writes. A resource that was
 * never written to accepted nothing stale.
 */
import type { EventOf, HoldId } from "../history/event.ts";
import { eventsAmong, hasEvent } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import { earlierOf, isBefore, type Moment, momentAt } from "../history/moment.ts";
import { findLostUpdates } from "./lost-updates.ts";
import { type Evidence, unknown, type Verdict, verdictFromEvidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

type Access = EventOf<"write-judged"> | EventOf<"read-judged">;

interface Accepted {
  readonly access: Access;
  readonly hold: Hold;
}

interface Shown extends Accepted {
  readonly token: string;
}

/** The newest of what a resource has accepted so far. */
interface Newest {
  byRank: Accepted;
  byToken: Shown | undefined;
}

export function checkStaleWrites(history: History): Verdict {
  const judged = eventsAmong(history, ["write-judged", "read-judged"]).filter(tellsTheResource);
  if (!hasEvent(history, "write-judged") && hasEvent(history, "write-invoked")) {
    return unknown("writes were sent and none was judged by the resource");
  }
  const holds = new Map(holdsOf(history).map((hold) => [hold.id, hold]));
  return verdictFromEvidence([...staleAmong(judged, holds), ...findLostUpdates(history)]);
}

/** A read without a token tells the resource nothing about who has read. */
function tellsTheResource(access: Access): boolean {
  return access.kind === "write-judged" || access.fencingToken !== undefined;
}

function staleAmong(judged: readonly Access[], holds: ReadonlyMap<HoldId, Hold>): readonly Evidence[] {
  const newestByResource = new Map<string, Newest>();
  const evidence: Evidence[] = [];
  for (const access of judged) {
    const hold = holds.get(access.hold);
    if (!access.accepted || hold === undefined) continue;
    const accepted = { access, hold };
    const newest = newestByResource.get(access.resource);
    if (newest === undefined) {
      newestByResource.set(access.resource, { byRank: accepted, byToken: tokenShown(accepted) });
      continue;
    }
    if (access.kind === "write-judged") evidence.push(...judge(accepted, newest));
    advance(newest, accepted);
  }
  return evidence;
}

function judge(accepted: Accepted, newest: Newest): readonly Evidence[] {
  if (isBefore(rankOf(accepted.hold), rankOf(newest.byRank.hold))) {
    const wasRead = newest.byRank.access.kind === "read-judged";
    const before = wasRead ? "been read by the newer hold" : "accepted one of the newer hold";
    return [evidenceOf(accepted, newest.byRank, `the resource had ${before}`)];
  }
  const { byToken } = newest;
  const shown = tokenShown(accepted);
  if (byToken === undefined || shown === undefined) return [];
  const order = compareTokens(shown.token, byToken.token);
  if (order < 0) return [evidenceOf(accepted, byToken, `it showed token ${shown.token}, older than that of`)];
  return order > 0 || accepted.hold.id === byToken.hold.id
    ? []
    : [evidenceOf(accepted, byToken, `it showed token ${shown.token}, the same as that of`)];
}

function advance(newest: Newest, accepted: Accepted): void {
  if (isBefore(rankOf(newest.byRank.hold), rankOf(accepted.hold))) newest.byRank = accepted;
  const { byToken } = newest;
  const shown = tokenShown(accepted);
  if (shown === undefined) return;
  if (byToken === undefined || compareTokens(shown.token, byToken.token) > 0) newest.byToken = shown;
}

function rankOf({ granted, firstDeadlineMs }: Hold): Moment {
  return earlierOf(granted, momentAt(firstDeadlineMs));
}

function tokenShown(accepted: Accepted): Shown | undefined {
  const token = accepted.access.fencingToken;
  return token === undefined ? undefined : { ...accepted, token };
}

/** Compares decimal digits without leading zeros. */
function compareTokens(left: string, right: string): number {
  if (left === right) return 0;
  const isSmaller = left.length === right.length ? left < right : left.length < right.length;
  return isSmaller ? -1 : 1;
}

function evidenceOf(stale: Accepted, newer: Accepted, because: string): Evidence {
  const { access: write, hold } = stale;
  const atMs = newer.access.atMs;
  return {
    sentence:
      `${write.resource} accepted a stale write of ${hold.worker} (${hold.id}) at ${formatMs(write.atMs)}: ` +
      `${because} ${newer.hold.worker} (${newer.hold.id}) at ${formatMs(atMs)}`,
    fromMs: atMs,
    toMs: write.atMs,
    seqs: [newer.access.seq, write.seq],
  };
}
