/** Grants that the coordinator should never have announced: without a quorum, or with time that was over. */
import type { EventOf, HistoryEvent } from "../history/event.ts";
import type { History } from "../history/history.ts";
import type { Evidence } from "./verdict.ts";
import { formatMs, listOf } from "./wording.ts";

type Announcement = EventOf<"acquire-granted"> | EventOf<"extend-granted">;

/** `remainingMs()` is read right after the stamp; both clocks are rounded. */
const ROUNDING_MS = 1;

export function findFalseGrants({ header, events }: History): readonly Evidence[] {
  return events
    .filter(isAnnouncement)
    .flatMap((event) => [
      ...withoutQuorum(event, header.quorum),
      ...(event.kind === "acquire-granted" ? afterItsTime(event) : []),
    ]);
}

function isAnnouncement(event: HistoryEvent): event is Announcement {
  return event.kind === "acquire-granted" || event.kind === "extend-granted";
}

/** Late votes only add to those of the decision, so too few are too few. */
function withoutQuorum(event: Announcement, quorum: number): readonly Evidence[] {
  const granted = event.votes.filter(({ kind }) => kind === "granted").map(({ node }) => node);
  if (granted.length >= quorum) return [];
  const who = granted.length === 0 ? "no node" : `${listOf(granted)} only`;
  const what = event.kind === "acquire-granted" ? "was granted" : "was extended";
  return [evidenceOf(event, `${what} by ${who} at ${formatMs(event.atMs)}; the quorum is ${quorum}`)];
}

/** A return past the deadline cannot be prevented; to claim time that is over can. */
function afterItsTime(event: EventOf<"acquire-granted">): readonly Evidence[] {
  const { atMs, deadlineMs, remainingMs } = event;
  if (atMs < deadlineMs || remainingMs <= ROUNDING_MS) return [];
  const claim = `claimed ${formatMs(remainingMs)} ms more at ${formatMs(atMs)}`;
  return [evidenceOf(event, `${claim}, though its deadline had been ${formatMs(deadlineMs)}`)];
}

function evidenceOf({ worker, hold, atMs, seq }: Announcement, what: string): Evidence {
  return { sentence: `${worker} (${hold}) ${what}`, fromMs: atMs, toMs: atMs, seqs: [seq] };
}
