/** A node behind Sentinel, and a Redis Cluster as one node: the master is another server now and then. */
import { Cluster, Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, type NodeAddress, type NodeOptions, Redlock } from "../../src/index.ts";
import {
  type ConfiguredServer,
  openServerRoom,
  type ServerRoom,
} from "../servers/configured-servers.fixture.ts";

let room: ServerRoom;
const opened: { readonly close: () => unknown }[] = [];

beforeEach(async () => {
  room = await openServerRoom();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await room.close();
});

function redlockOn(address: NodeAddress, options: NodeOptions = {}): Redlock {
  const redlock = new Redlock(createNodes([address], options), { restartGuard: "off" });
  opened.push(redlock);
  return redlock;
}

/** Which of the servers has the key. */
async function holdersOf(servers: readonly ConfiguredServer[], key: string): Promise<readonly number[]> {
  const found = await Promise.all(
    servers.map(async (server) => ((await server.ask("KEYS", key)) as readonly string[]).length > 0),
  );
  return servers.filter((_, index) => found[index]).map(({ port }) => port);
}

describe("a master behind Sentinel", () => {
  let master: ConfiguredServer;
  let replica: ConfiguredServer;
  let sentinel: ConfiguredServer;

  beforeEach(async () => {
    master = await room.start(["--repl-diskless-sync-delay", "0"]);
    replica = await room.start(["--replicaof", "127.0.0.1", String(master.port)]);
    await expect
      .poll(() => replica.ask("INFO", "replication"), { timeout: 20_000 })
      .toContain("master_link_status:up");
    sentinel = await room.startSentinel("locks", master);
    await expect.poll(() => sentinel.ask("INFO", "sentinel"), { timeout: 20_000 }).toContain("slaves=1");
  });

  test("is found by its name; after a failover the new one is, and READONLY leads there", async () => {
    const redlock = redlockOn({
      sentinels: ["redis://127.0.0.1:1", { host: "127.0.0.1", port: sentinel.port }],
      name: "locks",
    });
    const lock = await redlock.acquire("orders", 2000, { waitMs: 2000 });
    expect(await holdersOf([master], "orders")).toEqual([master.port]);
    await lock.release();

    const failover = (): Promise<unknown> =>
      sentinel.ask("SENTINEL", "FAILOVER", "locks").catch((error: unknown) => String(error));
    await expect.poll(failover, { timeout: 20_000 }).toBe("OK");
    await expect.poll(() => replica.ask("ROLE"), { timeout: 20_000 }).toContain("master");
    await expect.poll(() => master.ask("ROLE"), { timeout: 20_000 }).toContain("slave");
    const after = await redlock.acquire("orders", 2000, { waitMs: 10_000 });
    expect(await replica.ask("GET", "orders")).toBe(after.value);
    await after.release();
  });

  test("with the restart guard a promoted replica casts no vote for one longest lifetime", async () => {
    const nodes = createNodes([{ sentinels: [sentinel.url], name: "locks" }], { connectTimeoutMs: 200 });
    const redlock = new Redlock(nodes, { restartGuard: { longestLifetimeMs: 3000, firstUse: "trust" } });
    opened.push(redlock);
    await (await redlock.acquire("orders", 2000, { waitMs: 2000 })).release();
    master.stall();
    await expect.poll(() => replica.ask("ROLE"), { timeout: 30_000 }).toContain("master");
    const refusal = redlock.acquire("orders", 2000, { waitMs: 2000 });
    await expect(refusal).rejects.toThrow(/A quarantined, \d+ ms left/);
    const lock = await redlock.acquire("orders", 2000, { waitMs: 5000 });
    expect(await replica.ask("GET", "orders")).toBe(lock.value);
    await lock.release();
  });

  test("a master that is silent for long is looked up anew: its successor votes", async () => {
    const address = { sentinels: [`redis://127.0.0.1:${String(sentinel.port)}`], name: "locks" };
    const redlock = redlockOn(address, { connectTimeoutMs: 200 });
    await (await redlock.acquire("orders", 2000, { waitMs: 2000 })).release();
    master.stall();
    await expect.poll(() => replica.ask("ROLE"), { timeout: 30_000 }).toContain("master");
    const after = await redlock.acquire("orders", 2000, { waitMs: 10_000 });
    expect(await replica.ask("GET", "orders")).toBe(after.value);
    await after.release();
  });

  test("a sentinel that does not know the name says so in the vote", async () => {
    const redlock = redlockOn({ sentinels: [`redis://127.0.0.1:${String(sentinel.port)}`], name: "other" });
    await expect(redlock.acquire("orders", 1000, { waitMs: 300 })).rejects.toThrow(
      `the sentinel 127.0.0.1:${String(sentinel.port)} knows no master "other"`,
    );
  });

  test("a client of the user's own that asks sentinels is copied", async () => {
    const client = new Redis({ sentinels: [{ host: "127.0.0.1", port: sentinel.port }], name: "locks" });
    opened.push({ close: () => client.disconnect() });
    const lock = await redlockOn(client).acquire("orders", 2000, { waitMs: 2000 });
    expect(await client.get("orders")).toBe(lock.value);
    await lock.release();
  });
});

describe("a Redis Cluster", () => {
  test("is one node: its keys share a slot, and the slot's master is followed (peers 17)", async () => {
    const servers = await room.startCluster();
    const redlock = redlockOn({ cluster: servers.map(({ url }) => url) });
    const lock = await redlock.acquire("orders", 5000, { waitMs: 2000 });
    const [holder] = await holdersOf(servers, "{redlock}:orders");
    const keys = await Promise.all(servers.map((server) => server.ask("KEYS", "*")));
    expect(keys.flat().every((key) => String(key).startsWith("{redlock}:"))).toBe(true);
    await lock.extend(6000);
    expect((await lock.release()).kind).toBe("released");
    const both = await redlock.acquire(["orders", "invoices"], 5000);
    expect(await holdersOf(servers, "{redlock}:invoices")).toEqual([holder]);
    await both.release();

    // The slot moves: what its old master is sent now is answered MOVED.
    const old = servers.find(({ port }) => port === holder);
    const next = servers.find(({ port }) => port !== holder);
    const slot = String(await old?.ask("CLUSTER", "KEYSLOT", "{redlock}:orders"));
    for (const key of (await old?.ask("KEYS", "{redlock}:*")) as readonly string[])
      await old?.ask("DEL", key);
    const nextId = String(await next?.ask("CLUSTER", "MYID"));
    for (const server of servers) await server.ask("CLUSTER", "SETSLOT", slot, "NODE", nextId);
    const moved = await redlock.acquire("orders", 5000, { waitMs: 5000 });
    expect(await holdersOf(servers, "{redlock}:orders")).toEqual([next?.port]);
    await moved.release();
  });

  test("keeps its guard in the same slot as its keys", async () => {
    const servers = await room.startCluster();
    const nodes = createNodes([{ cluster: [servers[0]?.url ?? ""] }], { keyPrefix: "app:{locks}:" });
    const redlock = new Redlock(nodes, { restartGuard: { firstUse: "trust" } });
    opened.push(redlock);
    await using lock = await redlock.acquire("orders", 5000, { waitMs: 2000 });
    await lock.extend(6000);
    const keys = await Promise.all(servers.map((server) => server.ask("KEYS", "*")));
    expect(keys.flat().sort()).toEqual(["app:{locks}:orders", "app:{locks}:redlock:guard"]);
  });

  test("a Cluster client of the user's own is copied, and stays open", async () => {
    const servers = await room.startCluster();
    const client = new Cluster(servers.map(({ port }) => ({ host: "127.0.0.1", port })));
    opened.push({ close: () => client.disconnect() });
    const redlock = redlockOn(client);
    const lock = await redlock.acquire("orders", 2000, { waitMs: 2000 });
    expect(await client.get("{redlock}:orders")).toBe(lock.value);
    await lock.release();
    await redlock.close();
    expect(await client.set("mine", "1")).toBe("OK");
  });
});
