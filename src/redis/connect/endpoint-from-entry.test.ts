import { describe, expect, test } from "vitest";
import { endpointFromEntry } from "./endpoint-from-entry.ts";

const NOBODY = { username: undefined, password: undefined, tls: undefined };
const misuse = (message: string): unknown =>
  expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) as string });

describe("endpointFromEntry", () => {
  test("an address names host, port, user, password and database", () => {
    expect(endpointFromEntry("redis://ann:p%40ss@Host:7000/2?family=6", {})).toEqual({
      place: { kind: "server", host: "host", port: 7000 },
      access: { ...NOBODY, username: "ann", password: "p@ss" },
      db: 2,
      family: 6,
      keyPrefix: "",
      connectTimeoutMs: 2000,
    });
  });

  test("what an address does not say comes from the options", () => {
    const options = { username: "ann", password: "s", keyPrefix: "app:", connectTimeoutMs: 300 };
    expect(endpointFromEntry("redis://[::1]", options)).toMatchObject({
      place: { host: "::1", port: 6379 },
      access: { ...NOBODY, username: "ann", password: "s" },
      keyPrefix: "app:",
      connectTimeoutMs: 300,
    });
    expect(endpointFromEntry("redis://:own@h", options).access).toEqual({ ...NOBODY, password: "own" });
  });

  test("TLS is asked for by rediss://, and set up by the options", () => {
    expect(endpointFromEntry("rediss://h", {}).access.tls).toEqual({});
    expect(endpointFromEntry("rediss://h", { tls: { servername: "s" } }).access.tls).toEqual({
      servername: "s",
    });
    expect(() => endpointFromEntry("redis://h", { tls: {} })).toThrow(
      misuse("tls is given, but redis://h:6379 asks for a plain connection: write rediss://"),
    );
  });

  test.each(["/run/redis.sock", "unix:///run/redis.sock"])("%s is a unix socket", (address) => {
    expect(endpointFromEntry(address, { password: "s" })).toMatchObject({
      place: { kind: "socket", path: "/run/redis.sock" },
      access: { ...NOBODY, password: "s" },
    });
  });

  test("a master behind Sentinel: each of the two has its own login", () => {
    const entry = { sentinels: ["redis://:watch@s1", { host: "s2", port: 5000 }], name: "m" };
    expect(endpointFromEntry(entry, { password: "data" })).toMatchObject({
      place: {
        kind: "sentinel",
        sentinels: [
          { host: "s1", port: 26_379 },
          { host: "s2", port: 5000 },
        ],
        masterName: "m",
        access: { ...NOBODY, password: "watch" },
        natMap: {},
      },
      access: { ...NOBODY, password: "data" },
      keyPrefix: "",
    });
  });

  test("a Redis Cluster is one node whose keys share a hash tag", () => {
    const entry = { cluster: ["rediss://u:p@c1:7000"], natMap: { "10.0.0.1:7000": { host: "c1", port: 1 } } };
    expect(endpointFromEntry(entry, {})).toMatchObject({
      place: {
        kind: "cluster",
        seeds: [{ host: "c1", port: 7000 }],
        natMap: { "10.0.0.1:7000": { host: "c1", port: 1 } },
      },
      access: { username: "u", password: "p", tls: {} },
      keyPrefix: "{redlock}:",
    });
    expect(endpointFromEntry(entry, { keyPrefix: "app:{locks}:" }).keyPrefix).toBe("app:{locks}:");
    expect(() => endpointFromEntry(entry, { keyPrefix: "app:" })).toThrow(
      misuse(
        'the keyPrefix "app:" has no hash tag: on a Redis Cluster all keys must share a slot, as with "{app}:"',
      ),
    );
    expect(() => endpointFromEntry(entry, { keyPrefix: "{}x{y}" })).toThrow(misuse("has no hash tag"));
  });

  test.each([
    ["127.0.0.1:6379", '"127.0.0.1:6379" is no Redis address: write redis://host:port'],
    ["localhost:6379", "is no Redis address"],
    ["http://user:secret@127.0.0.1", '"http://***@127.0.0.1" is no Redis address'],
    ["redis:///1", "is no Redis address"],
    ["unix://host/path", "is no Redis address"],
    ["redis://h/main", "names the database main: a database is a number"],
    [
      "redis://h?enableOfflineQueue=true",
      "ends in enableOfflineQueue=…: an address takes only family=4 or 6",
    ],
    [
      { sentinels: ["redis://s"] },
      '{sentinels} needs the name of its master, as in {sentinels: […], name: "mymaster"}, not undefined',
    ],
    [{ sentinels: [], name: "m" }, "{sentinels} is a list of 1 to 26 addresses, not a list"],
    [
      { sentinels: ["/path"], name: "m" },
      '{sentinels} lists addresses such as "redis://host:port" or {host, port}, not the string "/path"',
    ],
    [{ cluster: "redis://c" }, '{cluster} is a list of 1 to 26 addresses, not the string "redis://c"'],
    [{ cluster: ["redis://c"], natMap: 7 }, "natMap is an object such as"],
  ])("%o is misuse in one sentence", (entry, message) => {
    expect(() => endpointFromEntry(entry, {})).toThrow(misuse(message));
  });
});
