/**
 * Extensions that the coordinator should not have announced: decided when the lock was over already. That they come
 * back late cannot be prevented, but the vote that made the quorum came into its hands with the time.
 */
import type { CallId, EventOf, HoldId } from "../history/event.ts";
import { hasEvent } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import type { Evidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

/** Holds whose deadline was moved are not asked: round trips were measured on a clock that was disturbed. */
export function findLateExtensions(history: History): readonly Evidence[] {
  if (!hasEvent(history, "extend-granted")) return [];
  const { header, events } = history;
  const deadlinesMs = new Map<HoldId, number>();
  const invokedMs = new Map<CallId, number>();
  const evidence: Evidence[] = [];
  for (const event of events) {
    if (event.kind === "acquire-granted") deadlinesMs.set(event.hold, event.deadlineMs);
    else if (event.kind === "deadline-moved") deadlinesMs.delete(event.hold);
    else if (event.kind === "extend-invoked") invokedMs.set(event.call, event.atMs);
    if (event.kind !== "extend-granted") continue;
    const deadlineMs = deadlinesMs.get(event.hold);
    if (deadlineMs === undefined) continue;
    evidence.push(...judge(event, { deadlineMs, invokedMs: Number(invokedMs.get(event.call)), header }));
    deadlinesMs.set(event.hold, Math.max(deadlineMs, event.deadlineMs));
  }
  return evidence;
}

interface Known extends Pick<History, "header"> {
  /** The latest deadline that was known when it came back. */
  readonly deadlineMs: number;
  readonly invokedMs: number;
}

function judge(
  event: EventOf<"extend-granted">,
  { deadlineMs, invokedMs, header }: Known,
): readonly Evidence[] {
  if (event.atMs < deadlineMs) return [];
  const [decisiveMs = 0] = event.votes
    .flatMap((vote) => (vote.kind === "granted" ? [vote.roundTripMs] : []))
    .sort((left, right) => left - right)
    .slice(header.quorum - 1);
  // The nodes were asked when the call was invoked, or later.
  const decidedMs = invokedMs + decisiveMs;
  if (decidedMs < deadlineMs) return [];
  return [
    {
      sentence:
        `${event.worker} (${event.hold}) was extended at ${formatMs(event.atMs)} by a quorum that was not complete ` +
        `before ${formatMs(decidedMs)}, when its lock had ended at ${formatMs(deadlineMs)}`,
      fromMs: deadlineMs,
      toMs: event.atMs,
      seqs: [event.seq],
    },
  ];
}
