/**
 * The other lock libraries, each with the client that it is made for, behind one shape: `open(name, urls, retry)`.
 * It runs in the folder in which they are installed, beside nothing of ours.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const TTL_SPARE = 1_000_000;

/** `retry`: false for one attempt, or { delayMs, jitterMs } between as many as it takes. */
const OPENERS = {
  "redlock-4": async (urls, retry) => {
    const { Redis } = require("ioredis");
    const clients = connect(Redis, urls);
    const Redlock = require("redlock-4");
    const redlock = new Redlock(clients, redlockSettings(retry));
    return subject(clients, async (resource, ttlMs) => {
      const lock = await redlock.lock(resource, ttlMs);
      return () => lock.unlock();
    });
  },
  "redlock-5": async (urls, retry) => {
    const { default: Redlock } = await import("redlock-5");
    return fromRedlock5(Redlock, urls, retry);
  },
  sesamecare: async (urls, retry) => {
    const { Redlock } = await import("@sesamecare-oss/redlock");
    return fromRedlock5(Redlock, urls, retry);
  },
  "redlock-universal": async (urls, retry) => {
    const { Redis } = require("ioredis");
    const { createRedlock, IoredisAdapter } = await import("redlock-universal");
    const clients = connect(Redis, urls);
    const adapters = clients.map((client) => new IoredisAdapter(client));
    const settings =
      retry === false ? { retryAttempts: 0 } : { retryAttempts: TTL_SPARE, retryDelay: retry.delayMs };
    return subject(clients, async (key, ttl) => {
      const redlock = createRedlock({ adapters, key, ttl, ...settings });
      const handle = await redlock.acquire();
      return () => redlock.release(handle);
    });
  },
  "redis-semaphore": async (urls, retry) => {
    const { Redis } = require("ioredis");
    const { RedlockMutex } = require("redis-semaphore");
    const clients = connect(Redis, urls);
    const patience =
      retry === false
        ? { acquireAttemptsLimit: 1 }
        : { acquireTimeout: TTL_SPARE, retryInterval: retry.delayMs + retry.jitterMs / 2 };
    return subject(clients, async (resource, ttlMs) => {
      const mutex = new RedlockMutex(clients, resource, {
        lockTimeout: ttlMs,
        refreshInterval: 0,
        ...patience,
      });
      await mutex.acquire();
      return () => mutex.release();
    });
  },
  "redis-kit": async (urls, retry) => {
    const { createClient } = await import("redis");
    const { Redlock } = await import("@redis-kit/lock");
    const clients = urls.map((url) => createClient({ url }).on("error", () => undefined));
    await Promise.all(clients.map((client) => client.connect()));
    const settings =
      retry === false
        ? { maxRetryAttempts: 0 }
        : { maxRetryAttempts: TTL_SPARE, retryDelayMs: retry.delayMs, retryJitterMs: retry.jitterMs };
    const redlock = new Redlock(clients, settings);
    return {
      acquire: async (resource, ttlMs) => {
        const lock = await redlock.acquire(resource, ttlMs);
        if (lock === null) throw new Error("not acquired");
        return () => lock.release();
      },
      close: () => {
        for (const client of clients) client.destroy();
      },
    };
  },
};

export const peerNames = Object.keys(OPENERS);

export function open(name, urls, retry) {
  return OPENERS[name](urls, retry);
}

function fromRedlock5(Redlock, urls, retry) {
  const { Redis } = require("ioredis");
  const clients = connect(Redis, urls);
  const redlock = new Redlock(clients, redlockSettings(retry));
  redlock.on("error", () => undefined);
  return subject(clients, async (resource, ttlMs) => {
    const lock = await redlock.acquire([resource], ttlMs);
    return () => lock.release();
  });
}

function redlockSettings(retry) {
  if (retry === false) return { retryCount: 0 };
  return { retryCount: -1, retryDelay: retry.delayMs, retryJitter: retry.jitterMs };
}

function connect(Redis, urls) {
  return urls.map((url) => new Redis(url).on("error", () => undefined));
}

function subject(clients, acquire) {
  return {
    acquire,
    close: () => {
      for (const client of clients) client.disconnect();
    },
  };
}
