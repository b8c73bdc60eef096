/**
 * Keys that are left behind when a run has settled. A key of an ended value is a leak unless nobody was there
 * to delete it, or the delete may have been lost on the way: such a key is left to its expiry. A key without
 * expiry is always a leak.
 */
import { type AcquireCall, acquiresOf } from "../history/calls.ts";
import type { EventOf, WorkerId } from "../history/event.ts";
import { eventsOf } from "../history/events-of.ts";
import { isGuardKey } from "../history/guard-silences.ts";
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import { keyLives } from "../history/key-lives.ts";
import { workerDeaths } from "../history/outages.ts";
import { type Reachability, reachabilityOf, touches } from "./reachability.ts";
import { RECONNECT_ALLOWANCE_MS } from "./reconnect-allowance.ts";
import type { Evidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

type Found = EventOf<"key-found">;

interface LeakContext {
  readonly holds: ReadonlyMap<string, Hold>;
  readonly acquires: readonly AcquireCall[];
  readonly released: ReadonlySet<string>;
  readonly dead: ReadonlyMap<WorkerId, number>;
  readonly reachability: Reachability;
  /** When the key that was found had been set, for the last time, as far as anybody saw. */
  readonly setAtMs: (found: Found) => number;
}

export function findLeaks(history: History): readonly Evidence[] {
  const found = eventsOf(history, "key-found").filter(({ resource }) => !isGuardKey(resource));
  if (found.length === 0) return [];
  const context = contextOf(history);
  return found.flatMap((key) => {
    const why = whyLeaked(key, context);
    return why === undefined ? [] : [evidenceOf(key, why)];
  });
}

function contextOf(history: History): LeakContext {
  const lives = keyLives(history);
  return {
    holds: new Map(holdsOf(history).map((hold) => [hold.value, hold])),
    acquires: acquiresOf(history),
    released: new Set(eventsOf(history, "release-invoked").map(({ hold }) => hold)),
    dead: workerDeaths(history),
    reachability: reachabilityOf(history),
    setAtMs: ({ node, resource, value }) =>
      lives.findLast((life) => life.node === node && life.resource === resource && life.value === value)
        ?.fromMs ?? 0,
  };
}

function whyLeaked(found: Found, context: LeakContext): string | undefined {
  const hold = context.holds.get(found.value);
  const owner =
    hold === undefined ? `value ${found.value}, which no hold has` : `${hold.worker} (${hold.id})`;
  if (found.expiresInMs === null) return `a key of ${owner} without expiry`;
  const left = `with ${formatMs(found.expiresInMs)} ms left`;
  if (hold === undefined) return isOrphanExcused(found, context) ? undefined : `a key of ${owner}, ${left}`;
  if (isHoldExcused(hold, found, context)) return undefined;
  return `a key of ${owner}, ended at ${formatMs(hold.believedUntil.atMs)}, ${left}`;
}

/** A lock that expired without being released is left to the expiry of its keys: nobody asked for a delete. */
function isHoldExcused(hold: Hold, found: Found, { released, dead, reachability }: LeakContext): boolean {
  return (
    hold.believedUntil.atMs > found.atMs ||
    dead.has(hold.worker) ||
    (hold.ending === "expired" && !released.has(hold.id)) ||
    wasCutOff(hold.worker, { found, sinceMs: hold.believedUntil.atMs }, reachability)
  );
}

/**
 * A value without a hold is that of an attempt which failed, of somebody who asked for the resource. Excused
 * are attempts that may still go on, owners that died, and nodes that were out of an owner's reach.
 */
function isOrphanExcused(found: Found, { acquires, dead, reachability, setAtMs }: LeakContext): boolean {
  const sinceMs = setAtMs(found);
  const tries = acquires.filter(
    ({ resource, invoked }) => resource === found.resource && invoked.atMs <= found.atMs,
  );
  return tries.some(
    ({ worker, returned, invoked }) =>
      (returned === undefined && invoked.atMs <= sinceMs) ||
      dead.has(worker) ||
      wasCutOff(worker, { found, sinceMs }, reachability),
  );
}

function wasCutOff(
  worker: WorkerId,
  { found, sinceMs }: { readonly found: Found; readonly sinceMs: number },
  { cutOff }: Reachability,
): boolean {
  return cutOff(worker, found.node).some(({ fromMs, toMs }) =>
    touches({ fromMs, toMs: toMs + RECONNECT_ALLOWANCE_MS }, { fromMs: sinceMs, toMs: found.atMs }),
  );
}

function evidenceOf(found: Found, why: string): Evidence {
  return {
    sentence: `${found.node} was left with ${why}, on ${found.resource} at ${formatMs(found.atMs)}`,
    fromMs: found.atMs,
    toMs: found.atMs,
    seqs: [found.seq],
  };
}
