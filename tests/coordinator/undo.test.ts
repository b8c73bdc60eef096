/** Undo on real servers, behind proxies that hold up what a client has sent and forgotten. */
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, Redlock } from "../../src/index.ts";
import { holdingProxy, type HoldingProxy } from "../servers/holding-proxy.fixture.ts";
import { startRedisServers, type RedisServers } from "../servers/redis-servers.fixture.ts";

const LONG_MS = 60_000;

let cluster: RedisServers;
let proxies: readonly HoldingProxy[];
let redlock: Redlock;
let direct: readonly Redis[];

beforeEach(async () => {
  cluster = await startRedisServers(3);
  direct = cluster.servers.map(({ port }) => new Redis(port, "127.0.0.1"));
  proxies = await Promise.all(cluster.servers.map(({ port }) => holdingProxy(port)));
  redlock = new Redlock(createNodes(proxies.map(({ url }) => url)), { restartGuard: "off" });
  await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
  // Nothing of it is to be repeated on a node that is cut off next.
  await expect.poll(() => keysOf("warm")).toEqual([0, 0, 0]);
  await delay(20);
});

afterEach(async () => {
  await redlock.close();
  for (const client of direct) client.disconnect();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await cluster.close();
});

const keysOf = async (name: string): Promise<readonly number[]> =>
  Promise.all(direct.map((client) => client.exists(name)));

/** The commands that the server has carried out. */
async function commandsOf(client: Redis | undefined): Promise<readonly string[]> {
  const stats = (await client?.info("commandstats")) ?? "";
  return [...stats.matchAll(/^cmdstat_([^:]+):calls=[1-9]/gm)].map(([, name = ""]) => name);
}

/** Two of three nodes get the acquire only when the client has given it up and its connections have gone. */
async function loseAnAcquireOnItsWay(): Promise<void> {
  for (const proxy of proxies.slice(1)) proxy.hold();
  const failing = redlock.acquire("orders", LONG_MS).catch((error: unknown) => error);
  await delay(10);
  for (const proxy of proxies.slice(1)) proxy.breakClients();
  expect(await failing).toMatchObject({ code: "unavailable" });
}

describe("the undo of an acquire whose connections broke", () => {
  test("ends them on the servers, so that what is still on its way never runs (S63)", async () => {
    await loseAnAcquireOnItsWay();
    for (const client of direct.slice(1)) {
      await expect.poll(() => commandsOf(client), { timeout: 5000 }).toContain("client|kill");
    }
    for (const proxy of proxies) proxy.letGo();
    await delay(200);
    expect(await keysOf("orders")).toEqual([0, 0, 0]);
    expect(redlock.orphanCount).toBe(0);
  });

  test("is repeated where CLIENT KILL is denied: what has run late is found and deleted", async () => {
    for (const client of direct) await client.call("ACL", "SETUSER", "default", "-client|kill");
    await loseAnAcquireOnItsWay();
    await delay(400);
    for (const proxy of proxies) proxy.letGo();
    await expect.poll(() => keysOf("orders")).toEqual([0, 1, 1]);
    await expect.poll(() => keysOf("orders"), { timeout: 5000 }).toEqual([0, 0, 0]);
  });

  test("ends none of a server that has been started again: its ids begin anew", async () => {
    await loseAnAcquireOnItsWay();
    const [, server] = cluster.servers;
    await server?.kill();
    await server?.start();
    await delay(500);
    const client = new Redis(server?.port ?? 0, "127.0.0.1");
    expect(await commandsOf(client)).not.toContain("client|kill");
    client.disconnect();
  });
});

describe("a node that was away", () => {
  test("is swept of the values that have ended meanwhile when it returns", async () => {
    const [, , last] = proxies;
    const locks = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        redlock.acquire(`orders-${String(index)}`, LONG_MS, { waitMs: 1000 }),
      ),
    );
    const left = async () => (await direct[2]?.keys("orders-*")) ?? [];
    await expect.poll(async () => (await left()).length).toBe(20);
    last?.refuse();
    await delay(50);
    for (const lock of locks.slice(1)) await lock.release();
    expect(await left()).toHaveLength(20);
    last?.accept();
    await expect.poll(left, { timeout: 500, interval: 20 }).toEqual(["orders-0"]);
    expect(redlock.orphanCount).toBe(0);
    expect(locks[0]?.remainingMs()).toBeGreaterThan(0);
  });

  test("is not waited for where it was never sent the value", async () => {
    const [, , last] = proxies;
    last?.refuse();
    await delay(50);
    for (let count = 0; count < 5; count++)
      await (await redlock.acquire("orders", LONG_MS, { waitMs: 1000 })).release();
    await direct[2]?.config("RESETSTAT");
    last?.accept();
    await delay(400);
    expect(await commandsOf(direct[2])).toContain("client|id");
    expect(await commandsOf(direct[2])).not.toContain("eval");
    expect(redlock.orphanCount).toBe(0);
  });

  test("is counted with what it may hold when the coordinator is closed before it returns", async () => {
    const lock = await redlock.acquire("orders", LONG_MS, { waitMs: 1000 });
    await expect.poll(() => direct[2]?.exists("orders")).toBe(1);
    proxies[2]?.refuse();
    await delay(50);
    await lock.release();
    await redlock.close();
    expect(redlock.orphanCount).toBe(1);
  });
});
