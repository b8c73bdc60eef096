/** Locks without scripts: on Valkey, on a Redis that has nothing in their place, and in the words of Redis 8.4. */
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import { createNodes, type NodeOptions, Redlock } from "../../src/index.ts";
import { startDelexServer } from "../servers/delex-server.fixture.ts";
import { OTHER_SERVERS } from "../servers/other-servers.ts";
import { startRedisServers } from "../servers/redis-servers.fixture.ts";

const valkey = OTHER_SERVERS.find(({ name }) => name.startsWith("valkey"))?.path;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function redlockOn(urls: readonly string[], options: NodeOptions): Redlock {
  const redlock = new Redlock(createNodes(urls, options), { restartGuard: "off", startUpProbe: "off" });
  closers.push(() => redlock.close());
  return redlock;
}

async function cluster(program: string | undefined, options: NodeOptions) {
  const { urls, close } = await startRedisServers(3, program);
  closers.push(close);
  const clients = urls.map((url) => new Redis(url));
  closers.push(async () => clients.forEach((client) => client.disconnect()));
  const keys = async () => Promise.all(clients.map((client) => client.exists("orders")));
  const calls = async (command: string) => {
    const stats = await Promise.all(clients.map((client) => client.info("commandstats")));
    return stats.map((text) =>
      Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, "m").exec(text)?.[1] ?? 0),
    );
  };
  return { redlock: redlockOn(urls, options), clients, keys, calls };
}

describe("a server that denies scripts (peers 64)", () => {
  test("compares by itself where it can: DELIFEQ and SET … IFEQ of Valkey", async () => {
    const { redlock, clients, keys, calls } = await cluster(valkey, {});
    for (const client of clients) await client.call("ACL", "SETUSER", "default", "-@scripting");
    for (let count = 0; count < 3; count += 1) {
      const lock = await redlock.acquire("orders", 2000, { waitMs: 1000 });
      await expect.poll(keys).toEqual([1, 1, 1]);
      for (const client of clients) await client.pexpire("orders", 500);
      await lock.extend(2000);
      for (const client of clients.slice(0, 2)) expect(await client.pttl("orders")).toBeGreaterThan(1000);
      expect((await lock.release()).kind).toBe("released");
      await expect.poll(keys).toEqual([0, 0, 0]);
    }
    expect(await calls("eval")).toEqual([0, 0, 0]);
    expect((await calls("delifeq")).every((count) => count >= 3)).toBe(true);
  });

  test("touches nobody else's key", async () => {
    const { redlock, clients } = await cluster(valkey, { scripts: "never" });
    const lock = await redlock.acquire("orders", 5000, { waitMs: 1000 });
    for (const client of clients) await client.set("orders", "other");
    await expect(lock.extend(5000)).rejects.toMatchObject({ code: "lost" });
    expect((await lock.release()).kind).toBe("expired");
    for (const client of clients) expect(await client.get("orders")).toBe("other");
  });

  test("extends to another lifetime only by a script, and says so", async () => {
    const { redlock } = await cluster(valkey, { scripts: "never" });
    const lock = await redlock.acquire("orders", 400, { waitMs: 1000 });
    await expect(lock.extend(800)).rejects.toMatchObject({
      code: "expired",
      votes: Array(3).fill(
        expect.objectContaining({
          cause: expect.stringContaining("only a lock whose lifetimes were all the same") as string,
        }),
      ) as unknown,
    });
    await lock.release();
  });

  test("without such commands leaves a lock to its lifetime, and says why", async () => {
    const { redlock, keys } = await cluster(undefined, { scripts: "never" });
    const lock = await redlock.acquire("orders", 1500, { waitMs: 1000 });
    const { kind, votes } = await lock.release();
    expect(kind).toBe("unconfirmed");
    expect(
      votes.filter((vote) => "cause" in vote && vote.cause.includes("DELEX or DELIFEQ")).length,
    ).toBeGreaterThan(1);
    await expect.poll(keys, { timeout: 3000 }).toEqual([0, 0, 0]);
  });
});

test("DELEX … IFEQ and SET … IFEQ of Redis 8.4, on a scripted server (peers N13)", async () => {
  const server = await startDelexServer();
  closers.push(server.close);
  const redlock = redlockOn([server.url], {});
  const lock = await redlock.acquire("orders", 5000, { waitMs: 1000 });
  await lock.extend(5000);
  expect(server.keys.get("orders")).toBe(lock.value);
  expect((await lock.release()).kind).toBe("released");
  expect(server.keys.size).toBe(0);
  expect(server.received.slice(3)).toEqual(["SET", "EVAL", "SET", "DELEX"]);
});
