/**
 * The floor: five SETs, wait for the third answer; five compare-and-deletes, wait for the third. No deadline, no
 * undo but that of a refused attempt, nothing that makes a lock safe.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { systemEntropy } from "../../../src/runtime/system-entropy.ts";
import type { Retry, Subject } from "../subject.ts";
import { quorumOf } from "./quorum-of.ts";

const DELETE_IF_EQUAL =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/** @param isCorked whether what is sent within a tick leaves in one write. */
export async function openRaw(urls: readonly string[], retry: Retry, isCorked: boolean): Promise<Subject> {
  const clients = await Promise.all(urls.map(connect));
  const cork = isCorked ? corkFor(clients) : () => undefined;
  const set = (key: string, value: string, ttlMs: number): Promise<boolean> => {
    cork();
    return quorumOf(
      clients,
      (client) => client.set(key, value, "PX", ttlMs, "NX"),
      (reply) => reply === "OK",
    );
  };
  const drop = (key: string, value: string): Promise<boolean> => {
    cork();
    return quorumOf(
      clients,
      (client) => client.eval(DELETE_IF_EQUAL, 1, key, value),
      () => true,
    );
  };
  return {
    acquire: async (key, ttlMs) => {
      for (;;) {
        const value = systemEntropy.value();
        if (await set(key, value, ttlMs)) return () => drop(key, value);
        await drop(key, value);
        if (retry === false) throw new Error("not acquired");
        await delay(retry.delayMs + (Math.random() * 2 - 1) * retry.jitterMs);
      }
    },
    close: () => {
      for (const client of clients) client.disconnect();
    },
  };
}

/** Resolves when the client can be written to. */
export async function connect(url: string): Promise<Redis> {
  const client = new Redis(url, { lazyConnect: true, enableReadyCheck: false });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

function corkFor(clients: readonly Redis[]): () => void {
  let isHeldBack = false;
  const letGo = (): void => {
    isHeldBack = false;
    for (const { stream } of clients) stream.uncork();
  };
  return () => {
    if (isHeldBack) return;
    isHeldBack = true;
    for (const { stream } of clients) stream.cork();
    process.nextTick(letGo);
  };
}
