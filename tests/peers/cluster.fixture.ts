/** Real servers and a coordinator whose connections stand: what most cases begin with. */
import { createNodes, Redlock, RedlockError, type RedlockOptions } from "../../src/index.ts";
import { type RedisServers, startRedisServers } from "../servers/redis-servers.fixture.ts";

export interface Cluster extends RedisServers {
  readonly redlock: Redlock;
  /** Another client of the same nodes; closed with the cluster. */
  readonly client: (options?: RedlockOptions) => Promise<Redlock>;
}

const SETTLE_MS = 2000;

export async function openCluster(count: number, options: RedlockOptions = {}): Promise<Cluster> {
  const servers = await startRedisServers(count);
  const clients: Redlock[] = [];
  const client = async (own: RedlockOptions = {}): Promise<Redlock> => {
    const redlock = new Redlock(createNodes(servers.urls), {
      restartGuard: { longestLifetimeMs: 60_000, firstUse: "trust" },
      ...options,
      ...own,
    });
    clients.push(redlock);
    await (await redlock.acquire("warm-up", 1000, { waitMs: SETTLE_MS })).release();
    return redlock;
  };
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((one) => one.close()));
    await servers.close();
  };
  return { ...servers, redlock: await client(), client, close };
}

/** The code that a promise rejects with, or `none`. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof RedlockError ? error.code : String(error)),
  );

/** How long a promise takes to settle, however it does. */
export async function timeOf(promise: Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await promise.catch(() => undefined);
  return performance.now() - startedAtMs;
}
