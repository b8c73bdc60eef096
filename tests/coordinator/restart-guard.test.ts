/** Nodes that may have forgotten, on real servers: they do not vote for one longest lifetime (design rule 8). */
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, Redlock, RedlockError, type RedlockOptions } from "../../src/index.ts";
import { startRedisServers, type RedisServers } from "../servers/redis-servers.fixture.ts";

const LONGEST_MS = 1200;
const TTL_MS = 1000;

let cluster: RedisServers;
let opened: Redlock[];

beforeEach(async () => {
  cluster = await startRedisServers(5);
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((redlock) => redlock.close()));
  await cluster.close();
});

function redlockWith(restartGuard: RedlockOptions["restartGuard"], urls = cluster.urls): Redlock {
  const redlock = new Redlock(createNodes(urls), { ...(restartGuard === undefined ? {} : { restartGuard }) });
  opened.push(redlock);
  return redlock;
}

/** Has brought the nodes into use. */
async function trusting(): Promise<Redlock> {
  const redlock = redlockWith({ longestLifetimeMs: LONGEST_MS, firstUse: "trust" });
  await (await redlock.acquire("warm", TTL_MS, { waitMs: 1000 })).release();
  return redlock;
}

const waiting = (): Redlock => redlockWith({ longestLifetimeMs: LONGEST_MS });

const server = (name: string) => {
  const found = cluster.servers.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no server ${name}`);
  return found;
};

const failureOf = (promise: Promise<unknown>): Promise<RedlockError> =>
  promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => {
      if (error instanceof RedlockError) return error;
      throw error;
    },
  );

async function onNode(name: string, ...command: [string, ...string[]]): Promise<unknown> {
  const client = new Redis(server(name).port, "127.0.0.1");
  try {
    return await client.call(...command);
  } finally {
    client.disconnect();
  }
}

describe("the restart guard on real servers", () => {
  test("a brand-new cluster waits one longest lifetime once, and says for how long", async () => {
    const redlock = waiting();
    const startedMs = performance.now();
    const refused = await failureOf(redlock.acquire("orders", TTL_MS));
    expect(refused.code).toBe("unavailable");
    expect(refused.message).toMatch(/[A-E] quarantined, \d+ ms left/);
    const lock = await redlock.acquire("orders", TTL_MS, { waitMs: 5000 });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(LONGEST_MS);
    await lock.release();
    await (await waiting().acquire("orders", TTL_MS, { waitMs: 500 })).release();
  });

  test("a node that was restarted empty votes for nobody while the old lock may live (peers N2, E18)", async () => {
    const first = await trusting();
    for (const name of ["D", "E"]) server(name).stall();
    const held = await first.acquire("orders", TTL_MS);
    await server("C").kill();
    await server("C").start();
    for (const name of ["D", "E"]) server(name).resume();
    for (const name of ["A", "B"]) server(name).stall();

    const rival = waiting();
    const refused = await failureOf(rival.acquire("orders", TTL_MS, { waitMs: held.remainingMs() }));
    expect(refused.votes.find(({ node }) => node === "C")).toMatchObject({ reason: "quarantined" });
    await expect.poll(() => held.remainingMs()).toBe(0);
    const later = await rival.acquire("orders", TTL_MS, { waitMs: 3000 });
    expect(later.votes.filter(({ kind }) => kind === "granted").map(({ node }) => node)).toEqual([
      "C",
      "D",
      "E",
    ]);
    for (const name of ["A", "B"]) server(name).resume();
  });

  test("FLUSHALL is seen at the next command, also by an extension", async () => {
    const redlock = await trusting();
    const held = await redlock.acquire("orders", TTL_MS);
    for (const name of ["A", "B", "C"]) await onNode(name, "FLUSHALL");
    expect((await failureOf(held.extend(TTL_MS))).code).toBe("lost");
    expect((await failureOf(redlock.acquire("orders", TTL_MS))).message).toContain("quarantined");
  });

  test("other nodes, or another longest lifetime, are misuse that says what to do (peers 15)", async () => {
    await trusting();
    const otherLifetime = redlockWith({ longestLifetimeMs: LONGEST_MS + 1 });
    const error = await failureOf(otherLifetime.acquire("orders", TTL_MS, { waitMs: 10_000 }));
    expect(error.code).toBe("misuse");
    expect(error.message).toContain(`a longest lifetime of ${String(LONGEST_MS)} ms`);
    expect(error.message).toContain("DEL redlock:guard");
    const fewer = redlockWith({ longestLifetimeMs: LONGEST_MS }, cluster.urls.slice(0, 3));
    expect((await failureOf(fewer.acquire("orders", TTL_MS))).code).toBe("misuse");
  });

  test("a guard that is changed as the error says keeps the longer quarantine", async () => {
    await trusting();
    for (const { name } of cluster.servers) {
      await onNode(name, "SET", "redlock:quarantine", "changed", "PX", "5000");
      await onNode(name, "DEL", "redlock:guard");
    }
    const refused = await failureOf(redlockWith({ longestLifetimeMs: 100 }).acquire("orders", 50));
    const lefts = refused.votes.map((vote) => ("leftMs" in vote ? vote.leftMs : 0));
    expect(Math.max(...lefts)).toBeGreaterThan(4000);
  });

  test("one node that was guarded before, and nobody is trusted", async () => {
    await onNode("E", "SET", "redlock:guard", "x");
    const redlock = redlockWith({ longestLifetimeMs: LONGEST_MS, firstUse: "trust" });
    expect((await failureOf(redlock.acquire("orders", TTL_MS))).message).toMatch(/[A-D] quarantined/);
  });

  test("nothing but the guard is left behind", async () => {
    const redlock = await trusting();
    await (await redlock.acquire("orders", TTL_MS)).release();
    await delay(50);
    for (const { name } of cluster.servers)
      expect(await onNode(name, "KEYS", "*")).toEqual(["redlock:guard"]);
  });
});
