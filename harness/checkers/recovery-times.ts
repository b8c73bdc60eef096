/** How long it took, after each trouble, until somebody held a lock again. A measure, not a verdict: L2 judges. */
import { eventsOf } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import { holdsOf } from "../history/holds.ts";
import { endOfRun } from "../history/moment.ts";
import { troublesOf } from "./trouble.ts";

/**
 * In milliseconds, one for each trouble that somebody recovered from: from the moment a quorum was in reach again, or
 * from the deadline of a holder that had died, to the next grant of that resource.
 */
export function recoveryTimesMs(history: History): readonly number[] {
  const holds = holdsOf(history);
  const storyEndMs = (eventsOf(history, "story-ended")[0] ?? endOfRun(history.events)).atMs;
  return troublesOf(history, holds, storyEndMs).flatMap(({ resource, sinceMs, overAtMs }) => {
    const grants = holds.filter((hold) => hold.resource === resource && hold.granted.atMs >= sinceMs);
    if (grants.length === 0) return [];
    const firstMs = grants.reduce((least, { granted }) => Math.min(least, granted.atMs), Infinity);
    return [Math.max(0, firstMs - overAtMs)];
  });
}
