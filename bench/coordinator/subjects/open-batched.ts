/** The floor of batching: one script call per node and tick carries all that is to be set or deleted in it. */
import type { Redis } from "ioredis";
import { systemEntropy } from "../../../src/runtime/system-entropy.ts";
import type { Subject } from "../subject.ts";
import { connect } from "./open-raw.ts";
import { quorumOf } from "./quorum-of.ts";

/** ARGV: for each key its value and TTL; a TTL of 0 deletes. */
const SCRIPT = `
local replies = {}
for i, key in ipairs(KEYS) do
  local value, ttl = ARGV[2 * i - 1], ARGV[2 * i]
  if ttl == '0' then
    if redis.call('GET', key) == value then redis.call('DEL', key) end
    replies[i] = 1
  else
    replies[i] = redis.call('SET', key, value, 'PX', ttl, 'NX') and 1 or 0
  end
end
return replies`;

class BatchedNode {
  readonly #client: Redis;
  readonly #sha: string;
  #keys: string[] = [];
  #args: string[] = [];
  #settles: ((reply: number) => void)[] = [];

  constructor(client: Redis, sha: string) {
    this.#client = client;
    this.#sha = sha;
  }

  ask(key: string, value: string, ttlMs: number): Promise<number> {
    return new Promise((resolve) => {
      if (this.#keys.length === 0) process.nextTick(this.#flush);
      this.#keys.push(key);
      this.#args.push(value, String(ttlMs));
      this.#settles.push(resolve);
    });
  }

  close(): void {
    this.#client.disconnect();
  }

  readonly #flush = (): void => {
    const [keys, args, settles] = [this.#keys, this.#args, this.#settles];
    this.#keys = [];
    this.#args = [];
    this.#settles = [];
    void this.#client.evalsha(this.#sha, keys.length, ...keys, ...args).then((replies) => {
      if (!Array.isArray(replies)) throw new Error("the script answers with a list");
      for (const [index, settle] of settles.entries()) settle(Number(replies[index]));
    });
  };
}

export async function openBatched(urls: readonly string[]): Promise<Subject> {
  const nodes = await Promise.all(
    urls.map(async (url) => {
      const client = await connect(url);
      return new BatchedNode(client, String(await client.script("LOAD", SCRIPT)));
    }),
  );
  return {
    acquire: async (key, ttlMs) => {
      const value = systemEntropy.value();
      const drop = () =>
        quorumOf(
          nodes,
          (node) => node.ask(key, value, 0),
          () => true,
        );
      if (
        await quorumOf(
          nodes,
          (node) => node.ask(key, value, ttlMs),
          (reply) => reply === 1,
        )
      )
        return drop;
      await drop();
      throw new Error("not acquired");
    },
    close: () => {
      for (const node of nodes) node.close();
    },
  };
}
