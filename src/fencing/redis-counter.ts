import { Redis } from "ioredis";
import { RedlockError } from "../errors.ts";
import type { TokenSource } from "../ports/token-source.ts";
import { CONNECTION_OPTIONS } from "../redis/connection-options.ts";

const KEY_PREFIX = "redlock:fencing:";

/** A token source with a connection of its own. */
export interface RedisCounter extends TokenSource {
  /** Ends the connection. */
  close(): Promise<void>;
}

/**
 * Fencing tokens from a counter on one Redis server outside the lock's nodes: one `INCR` for each token.
 *
 * The counter is as good as that server's memory. Without `appendfsync always`, or behind a failover, it can
 * go back and give a token twice (scenario S38); then a store must compare token and holder, or the counter
 * must come from a consensus system.
 *
 * @param url the server's `redis://` or `rediss://` address; none of the nodes of the lock.
 * @throws RedlockError `misuse` when the address cannot be one.
 */
export function createRedisCounter(url: string): RedisCounter {
  if (!URL.canParse(url)) {
    throw new RedlockError(
      "misuse",
      `"${url}" is no Redis address: write redis://host:port or rediss://host:port`,
    );
  }
  return new IoredisCounter(url);
}

class IoredisCounter implements RedisCounter {
  readonly #client: Redis;
  #whyAway = "not connected";

  constructor(url: string) {
    // A token drawn late is only a gap in the numbers, so the first draw may wait for the connection.
    this.#client = new Redis(url, { ...CONNECTION_OPTIONS, enableOfflineQueue: true });
    this.#client.on("error", (error: Error) => {
      this.#whyAway = error.message;
    });
  }

  async next(resource: string): Promise<bigint> {
    try {
      return BigInt(await this.#client.incr(`${KEY_PREFIX}${resource}`));
    } catch (cause) {
      throw new Error(`the fencing counter gave no token: ${this.#whyAway}`, { cause });
    }
  }

  close(): Promise<void> {
    this.#client.disconnect();
    return Promise.resolve();
  }
}
