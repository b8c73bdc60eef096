/** What is left on the servers when nobody wants anything any more. */
import { setTimeout as delay } from "node:timers/promises";
import { askRedis } from "../../harness/backends/real/resp/ask-redis.ts";
import { type RespValue, respText } from "../../harness/backends/real/resp/resp-reader.ts";
import type { Rig } from "../rig/rig.ts";

/** Deletes that found a node away are repeated every two seconds at least. */
const KEYS_LIMIT_MS = 6_000;
const CONNECTIONS_LIMIT_MS = 3_000;
const LOOK_MS = 100;
const ANSWER_LIMIT_MS = 1_000;

/** Keys of locks that are still there after some seconds, each with its node; none is as it should be. */
export async function keysLeft({ nodes }: Rig): Promise<readonly string[]> {
  return await lastLook(KEYS_LIMIT_MS, async () => {
    const keys = await Promise.all(
      nodes.map(async ({ server }) => {
        const found = await askRedis(server.port, ["KEYS", "soak:*"], { limitMs: ANSWER_LIMIT_MS });
        if (!Array.isArray(found)) return [];
        return found.map((key: RespValue) => `${server.name} ${respText(key) ?? ""}`);
      }),
    );
    return keys.flat();
  });
}

/** Connections beside the one that asks. */
export async function connectionsLeft({ nodes }: Rig): Promise<readonly string[]> {
  return await lastLook(CONNECTIONS_LIMIT_MS, async () => {
    const counts = await Promise.all(
      nodes.map(async ({ server }) => {
        const info = respText(await askRedis(server.port, ["INFO", "clients"], { limitMs: ANSWER_LIMIT_MS }));
        return { name: server.name, count: Number(/connected_clients:(\d+)/.exec(info ?? "")?.[1]) - 1 };
      }),
    );
    return counts.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
  });
}

/** Looks until nothing is found, or the limit has come. */
async function lastLook(limitMs: number, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let found = await look();
  for (let waitedMs = 0; found.length > 0 && waitedMs < limitMs; waitedMs += LOOK_MS) {
    await delay(LOOK_MS);
    found = await look();
  }
  return found;
}
