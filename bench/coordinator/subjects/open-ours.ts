/** The coordinator as it is shipped. */
import { createNodes, Redlock } from "../../../src/index.ts";
import type { Retry, Subject } from "../subject.ts";

const WAIT_MAX_MS = 60_000;
const CONNECT_WAIT_MS = 5_000;
const LONGEST_LIFETIME_MS = 60_000;

export async function openOurs(urls: readonly string[], retry: Retry, isGuarded: boolean): Promise<Subject> {
  const redlock = new Redlock(createNodes(urls), {
    // The lifetime as the tasks have it; on nodes that the benchmark has just started nobody holds a lock.
    restartGuard: isGuarded ? { longestLifetimeMs: LONGEST_LIFETIME_MS, firstUse: "trust" } : "off",
    ...(retry === false ? {} : { retryBaseMs: 2 * retry.delayMs }),
  });
  await (await redlock.acquire("bench:first", 1000, { waitMs: CONNECT_WAIT_MS })).release();
  const patience = { waitMs: retry === false ? 0 : WAIT_MAX_MS };
  return {
    acquire: async (resource, ttlMs) => {
      const lock = await redlock.acquire(resource, ttlMs, patience);
      return () => lock.release();
    },
    close: () => redlock.close(),
  };
}
