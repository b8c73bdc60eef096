/** What real servers say of themselves, and which of them are refused. */
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, type NodeAddress, Redlock, type RedlockEvent } from "../../src/index.ts";
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

/** A coordinator with somebody who watches it, so that findings are events and not warnings of the process. */
function watched(addresses: readonly NodeAddress[]) {
  const redlock = new Redlock(createNodes(addresses), { restartGuard: "off", nodeTimeoutMs: 1000 });
  opened.push(redlock);
  const events: RedlockEvent[] = [];
  redlock.observe((event) => events.push(event));
  const told = () => events.flatMap((event) => (event.kind === "finding" ? [event.finding.code] : []));
  return { redlock, told };
}

const codesOf = async (redlock: Redlock): Promise<readonly string[]> =>
  (await redlock.probe()).map(({ code, nodes }) => `${code} ${nodes.join("+")}`.trim());

const startThree = async (): Promise<readonly [ConfiguredServer, ConfiguredServer, ConfiguredServer]> => [
  await room.start(),
  await room.start(),
  await room.start(),
];

describe("the start-up probe", () => {
  test("finds nothing in three masters that are set up alike", async () => {
    const servers = await startThree();
    const { redlock, told } = watched(servers.map(({ url }) => url));
    expect(await redlock.probe()).toEqual([]);
    await (await redlock.acquire("orders", 1000)).release();
    expect(told()).toEqual([]);
  });

  test("a replica is refused at the first use, and told of once; when it is a master it is taken (peers 14)", async () => {
    const [first, second, third] = await startThree();
    await third.ask("REPLICAOF", "127.0.0.1", String(first.port));
    const { redlock, told } = watched([first.url, second.url, third.url]);
    await expect(redlock.acquire("orders", 1000)).rejects.toMatchObject({
      code: "misuse",
      message: "C is a replica: it copies another server and forgets what that one forgets; name its master",
    });
    await expect(redlock.acquire("orders", 1000)).rejects.toMatchObject({ code: "misuse" });
    expect(told()).toEqual(["replica"]);
    await third.ask("REPLICAOF", "NO", "ONE");
    expect(await redlock.probe()).toEqual([]);
    await (await redlock.acquire("orders", 1000)).release();
  });

  test("one server under two addresses is refused (peers 14)", async () => {
    const [first, second] = await startThree();
    const { redlock } = watched([first.url, second.url, first.socketPath]);
    expect(await codesOf(redlock)).toEqual(["same-server A+C"]);
    await expect(redlock.acquire("orders", 1000)).rejects.toThrow(
      /^A and C are one server \(run_id \w{40}\)/,
    );
  });

  test("servers of one Redis Cluster are refused as nodes; the cluster as one node is not (peers 14)", async () => {
    const servers = await room.startCluster();
    const { redlock } = watched(servers.map(({ url }) => url));
    expect(await codesOf(redlock)).toEqual(["cluster-server A", "cluster-server B", "cluster-server C"]);
    expect(await codesOf(watched([{ cluster: servers.map(({ url }) => url) }]).redlock)).toEqual([]);
  });

  test("a Sentinel's port is refused; the master that it names is not (peers 63)", async () => {
    const master = await room.start();
    const { url } = await room.startSentinel("locks", master);
    expect(await codesOf(watched([url]).redlock)).toEqual(["sentinel A"]);
    expect(await codesOf(watched([{ sentinels: [url], name: "locks" }]).redlock)).toEqual([]);
  });

  test("an even number, eviction, settings that differ and a node that is away are told, and locks are given (peers 13)", async () => {
    const [first, second, third] = await startThree();
    await first.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    await second.ask("CONFIG", "SET", "appendonly", "yes");
    const fourth = await room.start();
    await fourth.kill();
    const { redlock, told } = watched([first.url, second.url, third.url, fourth.url]);
    const lock = await redlock.acquire("orders", 1000);
    expect(told()).toEqual(["even-count", "eviction", "different-settings", "different-settings"]);
    await lock.release();
  });

  test("a user without INFO and CONFIG is told once, and gets locks", async () => {
    const denied = ["-info", "-config", "-role", "-time"];
    const server = await room.start(["--user", "ann", "on", ">secret", "~*", "&*", "+@all", ...denied]);
    const { redlock, told } = watched([server.url.replace("//", "//ann:secret@")]);
    expect((await redlock.probe()).map(({ message }) => message)).toEqual([
      "A does not answer TIME, INFO, ROLE, CONFIG to this user, so not all could be checked",
    ]);
    await (await redlock.acquire("orders", 1000)).release();
    expect(told()).toEqual(["denied"]);
  });

  test("a server's clock is compared with the others (peers 73, N9)", async () => {
    const servers = await startThree();
    const { redlock } = watched(servers.map(({ url }) => url));
    const nodes = createNodes([servers[0].url]);
    opened.push(...nodes);
    const report = await nodes[0]?.askFacts?.(1000);
    const facts = report?.kind === "told" ? report.facts : undefined;
    const wallLessMonotonicMs = Date.now() - Number(process.hrtime.bigint()) / 1e6;
    expect(Math.abs((facts?.clock?.offsetMs ?? 0) - wallLessMonotonicMs)).toBeLessThan(500);
    expect(await codesOf(redlock)).toEqual([]);
  });

  test("a frozen node is not waited for longer than the limit, and is asked once, however often", async () => {
    const [first, second, third] = await startThree();
    const { redlock } = watched([first.url, second.url, third.url]);
    await redlock.probe();
    third.stall();
    const startedAtMs = performance.now();
    for (let count = 0; count < 3; count++) {
      const [finding] = await redlock.probe({ limitMs: 100 });
      expect(finding).toMatchObject({
        code: "unreached",
        message: "C could not be asked in time: no answer yet",
      });
    }
    expect(performance.now() - startedAtMs).toBeLessThan(2000);
    third.resume();
    expect(await redlock.probe()).toEqual([]);
    const client = new Redis(third.port, "127.0.0.1");
    // Of the first probe, of the three while it stood still, and of the last.
    expect(await client.info("commandstats")).toMatch(/cmdstat_role:calls=[23],/);
    client.disconnect();
  });
});
