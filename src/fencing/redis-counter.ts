import type { Redis } from "ioredis";
import type { TokenSource } from "../ports/token-source.ts";
import type { Endpoint } from "../redis/connect/endpoint.ts";
import { endpointFromEntry } from "../redis/connect/endpoint-from-entry.ts";
import type { NodeAddress, NodeOptions } from "../redis/connect/node-address.ts";
import { assertNodeOptions } from "../redis/connect/node-options.ts";
import { openClient } from "../redis/connect/open-client.ts";

const KEY_PREFIX = "redlock:fencing:";

/** How the counter's server is talked to. */
export type CounterOptions = Omit<NodeOptions, "names">;

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
 * @param address the server, as a node may be named for `createNodes`; none of the nodes of the lock.
 * @throws RedlockError `misuse` when the address or an option cannot be one.
 */
export function createRedisCounter(address: NodeAddress, options: CounterOptions = {}): RedisCounter {
  assertNodeOptions(options);
  return new IoredisCounter(endpointFromEntry(address, options));
}

class IoredisCounter implements RedisCounter {
  readonly #client: Redis;
  #whyAway = "not connected";

  constructor(endpoint: Endpoint) {
    // A token drawn late is only a gap in the numbers, so the first draw may wait for the connection.
    this.#client = openClient(endpoint, { enableOfflineQueue: true });
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
