/**
 * L4: how many rounds did it take until somebody won? Each attempt has a value of its own, so the values that had
 * taken a node since the resource was last held are the attempts that split its votes, and the winner's own. Reported,
 * not judged: chance decides it.
 */
import type { History } from "../history/history.ts";
import { holdsOf } from "../history/holds.ts";

/** Over all grants; `undefined` where nobody was granted anything, or nobody recorded what happened on nodes. */
interface RoundsToWinner {
  readonly median: number;
  readonly p90: number;
  readonly most: number;
}

export function roundsToWinner(history: History): RoundsToWinner | undefined {
  const counts = roundsOfGrants(history).sort((left, right) => left - right);
  const most = counts.at(-1);
  if (most === undefined) return undefined;
  const at = (share: number): number => Number(counts[Math.ceil(counts.length * share) - 1]);
  return { median: at(0.5), p90: at(0.9), most };
}

/** A value counts in the contest in which it first took a node. */
function roundsOfGrants(history: History): number[] {
  const valueOfHold = new Set(holdsOf(history).map(({ resource, value }) => nameOf(resource, value)));
  const seen = new Set<string>();
  const losers = new Map<string, number>();
  const counts: number[] = [];
  for (const event of history.events) {
    if (event.kind === "acquire-granted") {
      // A lock that no node ever showed was not watched.
      if (seen.has(nameOf(event.resource, event.value))) counts.push((losers.get(event.resource) ?? 0) + 1);
      losers.delete(event.resource);
    } else if (event.kind === "key-set" && event.cause === "command") {
      const name = nameOf(event.resource, event.value);
      if (!seen.has(name) && !valueOfHold.has(name)) {
        losers.set(event.resource, (losers.get(event.resource) ?? 0) + 1);
      }
      seen.add(name);
    }
  }
  return counts;
}

/** With its length, so that no two pairs have one name. */
function nameOf(resource: string, value: string): string {
  return `${resource.length} ${resource}${value}`;
}
