/** Every way in which a real server refuses is told in the vote by its own code and what it means. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, Redlock, RedlockError } from "../../src/index.ts";
import { openServerRoom, type ServerRoom } from "../servers/configured-servers.fixture.ts";

let room: ServerRoom;
const opened: { readonly close: () => unknown }[] = [];

beforeEach(async () => {
  room = await openServerRoom();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await room.close();
});

/** What the one node answers to an acquire. */
async function causeOn({ url }: { readonly url: string }, resource = "orders"): Promise<string> {
  const redlock = new Redlock(createNodes([url]), {
    nodeTimeoutMs: 1000,
    restartGuard: "off",
    startUpProbe: "off",
  });
  opened.push(redlock);
  const error: unknown = await redlock
    .acquire(resource, 1000, { waitMs: 300 })
    .catch((thrown: unknown) => thrown);
  const vote = error instanceof RedlockError ? error.votes[0] : undefined;
  return vote?.kind === "unknown" ? vote.cause : String(error);
}

describe("an acquire on one node (peers 66)", () => {
  test("READONLY: a replica", async () => {
    const master = await room.start();
    const replica = await room.start(["--replicaof", "127.0.0.1", String(master.port)]);
    expect(await causeOn(replica)).toBe("READONLY: it is a replica; a node must be a master");
  });

  test("MISCONF: snapshots that fail", async () => {
    const server = await room.start(["--save", "3600", "1"]);
    mkdirSync(join(server.folder, "dump.rdb"));
    await server.ask("SET", "other", "1");
    await server.ask("BGSAVE");
    await expect.poll(() => server.ask("INFO", "persistence")).toContain("rdb_last_bgsave_status:err");
    expect(await causeOn(server)).toBe("MISCONF: it takes no writes because it cannot save its data to disk");
  });

  test("LOADING: a server that starts with much data counts as down until it has it", async () => {
    const server = await room.start();
    await server.ask("EVAL", "for i = 1, 20000 do redis.call('SET', 'filler:' .. i, i) end", "0");
    await server.ask("SAVE");
    await server.kill();
    await server.start(["--key-load-delay", "200", "--loading-process-events-interval-bytes", "1024"]);
    expect(await causeOn(server)).toBe("LOADING: it is still loading its data, and is down until it has");
  });

  test("OOM: no room, and nothing may be evicted", async () => {
    const server = await room.start(["--maxmemory", "1"]);
    expect(await causeOn(server)).toBe("OOM: its memory limit (maxmemory) is reached");
  });

  test("WRONGTYPE: the name is in use for something else", async () => {
    const server = await room.start();
    await server.ask("RPUSH", "orders", "not a lock");
    const redlock = new Redlock(createNodes([server.url]), { restartGuard: "off" });
    opened.push(redlock);
    await expect(redlock.acquire("orders", 1000, { waitMs: 300 })).rejects.toMatchObject({
      code: "contended",
    });
    expect(await server.ask("LRANGE", "orders", "0", "-1")).toEqual(["not a lock"]);
  });

  test("MOVED and CLUSTERDOWN: servers of a Redis Cluster that are given as nodes of their own", async () => {
    const servers = await room.startCluster();
    const causes = await Promise.all(servers.map((server) => causeOn(server)));
    expect(causes.filter((cause) => cause.startsWith("MOVED: it belongs to a Redis Cluster"))).toHaveLength(
      2,
    );
  });

  test("a Sentinel is no server for locks (peers 63)", async () => {
    const sentinel = await room.startSentinel("locks", await room.start());
    expect(await causeOn(sentinel)).toMatch(/^it has no command (SET|EVAL): .*\(a Sentinel\?\)$/);
  });
});
