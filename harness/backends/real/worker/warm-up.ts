/**
 * Before a story starts, each worker has talked to every node: connections stand and code is compiled, so
 * that the first acquire of the story is no slower than the later ones.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Lock, Redlock, TokenSource } from "../../../../src/index.ts";

/** Keys that belong to the lab itself; observers leave them out. */
export const LAB_KEY_PREFIX = "redlock-lab:";

const TRIES_MAX = 60;
const TTL_MAX_MS = 2000;
const POLL_MS = 2;
const POLLS_MAX = 100;
const ROUNDS = 3;

interface WarmUp {
  readonly workerId: string;
  /** The longest TTL that may be asked for; absent: any. */
  readonly longestLifetimeMs?: number | undefined;
}

/** @throws Error when some node has not answered within some seconds. */
export async function warmUp(
  redlock: Redlock,
  { workerId, longestLifetimeMs = TTL_MAX_MS }: WarmUp,
  tokens: TokenSource | undefined,
): Promise<void> {
  const ttlMs = Math.min(longestLifetimeMs, TTL_MAX_MS);
  const resource = `${LAB_KEY_PREFIX}warm-up:${workerId}`;
  let missing = "";
  let rounds = 0;
  for (let tries = 0; tries < TRIES_MAX && rounds < ROUNDS; tries++) {
    const lock = await redlock.acquire(resource, ttlMs, { waitMs: TTL_MAX_MS });
    missing = await awaitAllVotes(lock);
    await lock.extend(ttlMs);
    await lock.release();
    if (missing === "") rounds += 1;
  }
  if (missing !== "") throw new Error(`worker ${workerId} does not reach ${missing}`);
  await tokens?.next(resource);
}

/** The nodes that have not granted, once all have answered or enough time has passed. */
async function awaitAllVotes(lock: Lock): Promise<string> {
  for (let polls = 0; polls < POLLS_MAX && ungranted(lock) !== ""; polls++) await delay(POLL_MS);
  return ungranted(lock);
}

function ungranted(lock: Lock): string {
  return lock.votes
    .filter(({ kind }) => kind !== "granted")
    .map(({ node }) => node)
    .join(", ");
}
