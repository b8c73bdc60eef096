/** What there was to recover from: times without a quorum for anybody, and holders that died. */
import { eventsOf } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import type { Hold } from "../history/holds.ts";
import { workerDeaths } from "../history/outages.ts";
import { reachabilityOf } from "./reachability.ts";

export interface Trouble {
  /** What happened, for a sentence: `W1 had died`. */
  readonly what: string;
  readonly resource: string;
  /** A grant from here on shows that the trouble is over. */
  readonly sinceMs: number;
  /** From here on somebody can acquire again, as soon as the keys of old holds are gone. */
  readonly overAtMs: number;
  /** Connections have to be made anew first. */
  readonly needsReconnect: boolean;
}

/** In no particular order. What was over only after the story had ended is no trouble of the story. */
export function troublesOf(history: History, holds: readonly Hold[], storyEndMs: number): readonly Trouble[] {
  return [...outageTroubles(history), ...deathTroubles(holds)].filter(
    ({ overAtMs }) => overAtMs < storyEndMs,
  );
}

/** Only when nobody at all could reach a quorum had the cluster something to recover from. */
function outageTroubles(history: History): readonly Trouble[] {
  const dead = workerDeaths(history);
  const living = history.header.workers.filter((worker) => !dead.has(worker));
  if (living.length === 0) return [];
  const resources = new Set(eventsOf(history, "acquire-invoked").map(({ resource }) => resource));
  return reachabilityOf(history)
    .withoutQuorum(living)
    .flatMap(({ toMs }) =>
      [...resources].map((resource) => ({
        what: "a quorum was in reach again",
        resource,
        sinceMs: toMs,
        overAtMs: toMs,
        needsReconnect: true,
      })),
    );
}

function deathTroubles(holds: readonly Hold[]): readonly Trouble[] {
  return holds
    .filter(({ ending }) => ending === "killed")
    .map((hold) => ({
      what: `the deadline of ${hold.worker}, which had died holding it,`,
      resource: hold.resource,
      sinceMs: hold.believedUntil.atMs,
      overAtMs: hold.lastDeadlineMs,
      needsReconnect: false,
    }));
}
