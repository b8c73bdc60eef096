/** Grants that the coordinator should never have announced: without a quorum, or with time that was over. */
import { driftAllowanceMs } from "../../src/core/validity.ts";
import type { EventOf } from "../history/event.ts";
import { eventsAmong, eventsOf } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import type { Evidence } from "./verdict.ts";
import { formatMs, listOf } from "./wording.ts";

type Announcement = EventOf<"acquire-granted"> | EventOf<"extend-granted">;

/** `remainingMs()` is read right after the stamp; both clocks are rounded. */
const ROUNDING_MS = 1;

export function findFalseGrants(history: History): readonly Evidence[] {
  const { header } = history;
  const found: Evidence[] = [];
  for (const event of eventsAmong(history, ["acquire-granted", "extend-granted"])) {
    if (grantedCount(event) < header.quorum) found.push(withoutQuorum(event, header.quorum));
    if (event.kind !== "acquire-granted" || event.atMs < event.deadlineMs) continue;
    found.push(...afterItsTime(event), ...decidedTooLate(event, history));
  }
  return found;
}

function grantedCount({ votes }: Announcement): number {
  let count = 0;
  for (const { kind } of votes) if (kind === "granted") count += 1;
  return count;
}

/** Late votes only add to those of the decision, so too few are too few. */
function withoutQuorum(event: Announcement, quorum: number): Evidence {
  const granted = event.votes.filter(({ kind }) => kind === "granted").map(({ node }) => node);
  const who = granted.length === 0 ? "no node" : `${listOf(granted)} only`;
  const what = event.kind === "acquire-granted" ? "was granted" : "was extended";
  return evidenceOf(event, `${what} by ${who} at ${formatMs(event.atMs)}; the quorum is ${quorum}`);
}

/** A return past the deadline cannot be prevented; to claim time that is over can. */
function afterItsTime(event: EventOf<"acquire-granted">): readonly Evidence[] {
  const { atMs, deadlineMs, remainingMs } = event;
  if (remainingMs <= ROUNDING_MS) return [];
  const claim = `claimed ${formatMs(remainingMs)} ms more at ${formatMs(atMs)}`;
  return [evidenceOf(event, `${claim}, though its deadline had been ${formatMs(deadlineMs)}`)];
}

/**
 * A return past the deadline is the coordinator's own doing where its quorum was complete only then: the vote came in
 * its hands, with the time, and was counted all the same.
 */
function decidedTooLate(event: EventOf<"acquire-granted">, history: History): readonly Evidence[] {
  const { header } = history;
  const asked = eventsOf(history, "acquire-invoked")
    .filter(({ call }) => call === event.call)
    .map(({ ttlMs }) => ttlMs);
  const ttlMs = Math.max(header.ttlMs, ...asked);
  const validityMs = ttlMs - driftAllowanceMs(ttlMs, header.driftFactor);
  const [decisiveMs = 0] = event.votes
    .flatMap((vote) => (vote.kind === "granted" ? [vote.roundTripMs] : []))
    .sort((left, right) => left - right)
    .slice(header.quorum - 1);
  if (decisiveMs < validityMs) return [];
  const late = `${formatMs(decisiveMs)} ms after it had asked; a lock lives for ${formatMs(validityMs)} ms at most`;
  return [evidenceOf(event, `was granted by votes of which the quorum was complete ${late}`)];
}

function evidenceOf({ worker, hold, atMs, seq }: Announcement, what: string): Evidence {
  return { sentence: `${worker} (${hold}) ${what}`, fromMs: atMs, toMs: atMs, seqs: [seq] };
}
