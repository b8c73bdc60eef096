/** The coordinator on five real servers that are frozen, killed and restarted. */
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, createRedisCounter, Redlock, RedlockError } from "../../src/index.ts";
import { startRedisServers, type RedisServers } from "../servers/redis-servers.fixture.ts";

let cluster: RedisServers;
let redlock: Redlock;

beforeEach(async () => {
  cluster = await startRedisServers(5);
  redlock = new Redlock(createNodes(cluster.urls), {
    restartGuard: { longestLifetimeMs: 60_000, firstUse: "trust" },
  });
});

afterEach(async () => {
  await redlock.close();
  await cluster.close();
});

const server = (name: string) => cluster.server(name);

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof RedlockError ? error.code : String(error)),
  );

const keysOf = (pattern: string) => cluster.keysOf(pattern);

/** Looks again until it is so, at most two seconds. */
async function eventually(condition: () => Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < 100; looks++) {
    if (await condition()) return true;
    await delay(20);
  }
  return false;
}

describe("the coordinator on real servers", () => {
  test("the first acquire waits for the connections instead of failing", async () => {
    const lock = await redlock.acquire("orders", 2000, { waitMs: 1000 });
    expect(lock.remainingMs()).toBeGreaterThan(1000);
    expect((await lock.release()).kind).toBe("released");
    expect(await eventually(async () => (await keysOf("orders")).length === 0)).toBe(true);
  });

  test("a frozen and a dead node cost nothing; the frozen one is left without a key when it thaws", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    server("A").stall();
    await server("B").kill();
    const lock = await redlock.acquire("orders", 5000, { waitMs: 1000 });
    expect(lock.votes.filter(({ kind }) => kind === "granted").map(({ node }) => node)).toEqual([
      "C",
      "D",
      "E",
    ]);
    await lock.release();
    server("A").resume();
    expect(await eventually(async () => (await keysOf("orders")).length === 0)).toBe(true);
  });

  test("with the majority gone an acquire fails, and its keys are undone everywhere (peers 59, E7')", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    for (const name of ["A", "B", "C"]) server(name).stall();
    const failing = redlock.acquire("orders", 5000);
    expect(await codeOf(failing)).toBe("unavailable");
    for (const name of ["A", "B", "C"]) server(name).resume();
    // What the frozen nodes had in their sockets runs now: the acquire, and its undo right behind it.
    await delay(100);
    expect(await keysOf("orders")).toEqual([]);
  });

  test("a node that comes back is used again, and gets its outstanding delete", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    const lock = await redlock.acquire("orders", 60_000);
    await expect.poll(() => lock.votes.filter(({ kind }) => kind === "granted").length).toBe(5);
    const client = new Redis(server("E").port, "127.0.0.1");
    await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await lock.release();
    client.disconnect();
    expect(await eventually(async () => (await keysOf("orders")).length === 0)).toBe(true);
    expect(redlock.orphanCount).toBe(0);
  });

  test("a command in flight is not sent again to the restarted node (peers 58, E7'')", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    for (const name of ["A", "B", "C"]) server(name).stall();
    // Nobody undoes this one: it is still in its round when the nodes die.
    const patient = new Redlock(createNodes(cluster.urls), {
      nodeTimeoutMs: 1500,
      restartGuard: { longestLifetimeMs: 60_000 },
    });
    const failing = codeOf(patient.acquire("orders", 60_000, { waitMs: 0 }));
    await delay(100);
    for (const name of ["A", "B", "C"]) await server(name).kill();
    for (const name of ["A", "B", "C"]) await server(name).start();
    expect(await failing).toBe("unavailable");
    await delay(300);
    expect(await keysOf("orders")).toEqual([]);
    await patient.close();
  });

  test("a command for a node that is away is dropped, not kept for later (peers 56, 57, E7)", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    for (const name of ["A", "B", "C"]) await server(name).kill();
    await delay(20);
    expect(await codeOf(redlock.acquire("orders", 60_000))).toBe("unavailable");
    await server("A").start();
    await delay(600);
    const client = new Redis(server("A").port, "127.0.0.1");
    const commands = await client.info("commandstats");
    client.disconnect();
    expect(commands).toContain("cmdstat_client|id:");
    expect(commands).not.toContain("cmdstat_set:");
  });

  test("a node timeout closes no connection", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    const client = new Redis(server("A").port, "127.0.0.1");
    const connections = async () => /total_connections_received:(\d+)/.exec(await client.info("stats"))?.[1];
    const before = await connections();
    server("A").stall();
    for (let count = 0; count < 3; count++) await (await redlock.acquire("orders", 1000)).release();
    await delay(200);
    server("A").resume();
    expect(await connections()).toBe(before);
    client.disconnect();
    expect(await eventually(async () => (await keysOf("orders")).length === 0)).toBe(true);
  });

  test("a command that is held for the first connection is dropped when its time is over", async () => {
    await server("A").kill();
    server("B").stall();
    const [nodeA, nodeB] = createNodes(cluster.urls);
    const replies: unknown[] = [];
    const command = { kind: "acquire", resource: "orders", value: "v1", ttlMs: 60_000 } as const;
    nodeA?.send(command, 0, (reply) => replies.push(reply));
    nodeB?.send(command, 0, (reply) => replies.push(reply));
    await server("A").start();
    server("B").resume();
    expect(await eventually(async () => Promise.resolve(replies.length === 2))).toBe(true);
    expect(replies).toMatchObject([{ mayHaveRun: false }, { mayHaveRun: false }]);
    await delay(300);
    expect(await keysOf("orders")).toEqual([]);
    await nodeA?.close();
    await nodeB?.close();
  });

  test("a silent node is not sent more than its limit of outstanding commands", async () => {
    const [node] = createNodes(cluster.urls);
    const answered = (value: string) =>
      new Promise<unknown>((resolve) => {
        node?.send(
          { kind: "acquire", resource: value, value, ttlMs: 1000 },
          Number.MAX_SAFE_INTEGER,
          resolve,
        );
      });
    await answered("first");
    server("A").stall();
    const waiting = Array.from({ length: 10_000 }, (_, index) => answered(`waiting-${index}`));
    expect(await answered("one-too-many")).toMatchObject({ kind: "unknown", mayHaveRun: false });
    server("A").resume();
    expect(await Promise.all(waiting)).toHaveLength(10_000);
    await node?.close();
  });

  test("an extension leaves a key without a TTL as it is: nothing is shortened", async () => {
    const lock = await redlock.acquire("orders", 1000, { waitMs: 1000 });
    await expect.poll(() => lock.votes.filter(({ kind }) => kind === "granted").length).toBe(5);
    const client = new Redis(server("A").port, "127.0.0.1");
    await client.persist("orders");
    await lock.extend(5000);
    expect(await client.pttl("orders")).toBe(-1);
    await lock.release();
    client.disconnect();
  });

  test("a server's error is an unknown vote with the server's own words (peers 66)", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    for (const name of ["A", "B", "C"]) {
      const client = new Redis(server(name).port, "127.0.0.1");
      await client.call("REPLICAOF", "127.0.0.1", String(server("D").port));
      client.disconnect();
    }
    const error = await redlock.acquire("orders", 1000).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unavailable" });
    expect((error as RedlockError).message).toContain("READONLY");
  });

  test("tokens from a counter outside the nodes grow (peers 79, N8)", async () => {
    const [url = ""] = cluster.urls;
    const outside = await startRedisServers(1);
    const counter = createRedisCounter(outside.urls[0] ?? url);
    const tokens: (bigint | undefined)[] = [];
    for (let count = 0; count < 3; count++) {
      const lock = await redlock.acquire("orders", 1000, { fencing: counter, waitMs: 1000 });
      tokens.push(lock.fencingToken);
      await lock.release();
    }
    await counter.close();
    await outside.close();
    expect(tokens).toEqual([1n, 2n, 3n]);
  });

  test("a fencing counter that is away fails the acquire and leaves no key", async () => {
    await (await redlock.acquire("warm", 1000, { waitMs: 1000 })).release();
    const outside = await startRedisServers(1);
    const counter = createRedisCounter(outside.urls[0] ?? "");
    await outside.close();
    expect(await codeOf(redlock.acquire("orders", 500, { fencing: counter }))).toBe("unavailable");
    await counter.close();
    expect(await eventually(async () => (await keysOf("orders")).length === 0)).toBe(true);
  });
});
