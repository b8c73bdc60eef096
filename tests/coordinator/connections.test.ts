/** Every kind of connection, on real servers: TLS, sockets, users, prefixes, and clients of the user's own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis, type RedisOptions } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, type NodeAddress, type NodeOptions, Redlock, RedlockError } from "../../src/index.ts";
import { openServerRoom, type ServerRoom } from "../servers/configured-servers.fixture.ts";
import { makeCertificate } from "../servers/self-signed-certificate.fixture.ts";

let room: ServerRoom;
const opened: { readonly close: () => unknown }[] = [];

beforeEach(async () => {
  room = await openServerRoom();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await room.close();
});

function redlockOn(addresses: readonly NodeAddress[], options: NodeOptions = {}): Redlock {
  const redlock = new Redlock(createNodes(addresses, options), { restartGuard: "off" });
  opened.push(redlock);
  return redlock;
}

function clientOf(port: number, options: Omit<RedisOptions, "replyMapping"> = {}): Redis {
  const client = new Redis({ host: "127.0.0.1", port, ...options });
  client.on("error", () => undefined);
  opened.push({ close: () => client.disconnect() });
  return client;
}

/** Why the one node of a failed acquire did not vote. */
async function causeOf(redlock: Redlock): Promise<string> {
  const error: unknown = await redlock
    .acquire("orders", 1000, { waitMs: 500 })
    .catch((thrown: unknown) => thrown);
  const vote = error instanceof RedlockError ? error.votes[0] : undefined;
  return vote?.kind === "unknown" ? vote.cause : String(error);
}

describe("TLS", () => {
  test("rediss:// with the certificate's authority locks; without it, or in plain text, the vote says why not", async () => {
    const server = await room.start();
    await server.kill();
    const { key, certificate } = makeCertificate();
    const [keyFile, certificateFile] = [
      join(server.folder, "key.pem"),
      join(server.folder, "certificate.pem"),
    ];
    writeFileSync(keyFile, key);
    writeFileSync(certificateFile, certificate);
    const tls = ["--tls-auth-clients", "no", "--tls-key-file", keyFile, "--tls-cert-file", certificateFile];
    await server.start(["--port", "0", "--tls-port", String(server.port), ...tls]);
    const address = `rediss://127.0.0.1:${String(server.port)}`;

    const redlock = redlockOn([address], { tls: { ca: certificate } });
    const lock = await redlock.acquire("orders", 2000, { waitMs: 2000 });
    expect(await server.ask("GET", "orders")).toBe(lock.value);
    expect((await lock.release()).kind).toBe("released");

    expect(await causeOf(redlockOn([address]))).toMatch(/self-signed certificate/);
    expect(await causeOf(redlockOn([server.url]))).toMatch(/ECONNRESET|connection was closed/);
  });
});

describe("a unix socket", () => {
  test.each(["", "unix://"])("%s/path", async (scheme) => {
    const { socketPath } = await room.start(["--port", "0"]);
    const lock = await redlockOn([`${scheme}${socketPath}`]).acquire("orders", 2000, { waitMs: 1000 });
    expect((await lock.release()).kind).toBe("released");
  });
});

describe("a user and a database", () => {
  test("stand in the address, or in the options for all nodes", async () => {
    const server = await room.start(["--user", "ann", "on", ">s:e/cret", "~*", "&*", "+@all"]);
    const inAddress = server.url.replace("//", `//ann:${encodeURIComponent("s:e/cret")}@`);
    const first = await redlockOn([`${inAddress}/3`]).acquire("orders", 2000, { waitMs: 1000 });
    expect(await server.ask("INFO", "keyspace")).toContain("db3:keys=");
    await first.release();

    const byOption = redlockOn([server.url], { username: "ann", password: "s:e/cret" });
    await (await byOption.acquire("orders", 2000, { waitMs: 1000 })).release();
    expect(String(await server.ask("ACL", "LOG"))).toBe("");
    expect(String(await server.ask("CLIENT", "LIST"))).toContain("user=ann");
  });

  test("a wrong password is told as such", async () => {
    const server = await room.start(["--requirepass", "secret"]);
    expect(await causeOf(redlockOn([server.url], { password: "wrong" }))).toBe(
      "WRONGPASS: it knows no such user with this password",
    );
    expect(await causeOf(redlockOn([server.url]))).toBe("NOAUTH: it wants a password");
  });
});

describe("a database", () => {
  test("stays the same when the connection is made anew (peers 61)", async () => {
    const server = await room.start();
    const redlock = redlockOn([`${server.url}/5`]);
    await (await redlock.acquire("warm", 2000, { waitMs: 1000 })).release();
    await server.kill();
    await server.start();
    await (await redlock.acquire("orders", 2000, { waitMs: 2000 })).extend(3000);
    expect(await server.ask("INFO", "keyspace")).toMatch(
      /# Keyspace\r\ndb5:keys=\d+,expires=\d+,avg_ttl=\d+\r\n$/,
    );
  });
});

describe("a key prefix", () => {
  test("stands before every key that is written, and nothing else is", async () => {
    const server = await room.start();
    const lock = await redlockOn([server.url], { keyPrefix: "app:" }).acquire("orders", 2000, {
      waitMs: 1000,
    });
    expect(await server.ask("GET", "app:orders")).toBe(lock.value);
    const keys = (await server.ask("KEYS", "*")) as readonly string[];
    expect(keys.filter((key) => !key.startsWith("app:"))).toEqual([]);
    await lock.extend(3000);
    expect((await lock.release()).kind).toBe("released");
    expect(await server.ask("GET", "app:orders")).toBeNull();
  });
});

describe("an ioredis client of the user's own", () => {
  test("is copied and not used: another connection is made, and the client stays open", async () => {
    const server = await room.start();
    const client = clientOf(server.port, { keyPrefix: "own:", db: 2 });
    await client.set("mine", "1");
    const redlock = redlockOn([client]);
    const lock = await redlock.acquire("orders", 2000, { waitMs: 1000 });
    expect(await client.get("orders")).toBe(lock.value);
    expect(await server.ask("INFO", "clients")).toContain("connected_clients:3");
    await lock.release();
    await redlock.close();
    expect(await client.get("mine")).toBe("1");
    expect(await server.ask("INFO", "clients")).toContain("connected_clients:2");
  });

  test("its queue and its time limit are not taken over: no key after the node's return (peers 56, 57, 60)", async () => {
    const server = await room.start();
    await server.kill();
    const client = clientOf(server.port, { commandTimeout: 100, maxRetriesPerRequest: null });
    const redlock = redlockOn([client]);
    await expect(redlock.acquire("orders", 60_000)).rejects.toMatchObject({ code: "unavailable" });
    await server.start();
    await expect.poll(() => client.status).toBe("ready");
    await delay(300);
    expect(await server.ask("KEYS", "orders")).toEqual([]);
  });
});

describe("a list", () => {
  test("may mix addresses, sockets and clients; a node that is down at the start votes when it has come", async () => {
    const servers = [await room.start(), await room.start(), await room.start()];
    const [first, second, third] = servers;
    if (first === undefined || second === undefined || third === undefined) throw new Error("no server");
    await third.kill();
    const redlock = redlockOn([first.url, second.socketPath, clientOf(third.port)], {
      names: ["x", "y", "z"],
    });
    const early = await redlock.acquire("orders", 2000, { waitMs: 1000 });
    expect(early.votes.map(({ node, kind }) => `${node} ${kind}`)).toEqual([
      "x granted",
      "y granted",
      "z unknown",
    ]);
    await early.release();
    await third.start();
    await expect
      .poll(async () => {
        await using lock = await redlock.acquire("orders", 2000, { waitMs: 1000 });
        await delay(20);
        return lock.votes.map(({ kind }) => kind);
      })
      .toEqual(["granted", "granted", "granted"]);
  });
});
