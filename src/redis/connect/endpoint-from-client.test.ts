import { Cluster, Redis, type RedisOptions } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import { isIoredisClient } from "./client-kinds.ts";
import { endpointFromClient } from "./endpoint-from-client.ts";

const clients: { readonly disconnect: () => void }[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

function redis(options: Omit<RedisOptions, "replyMapping">, url?: string): Redis {
  const lazy = { ...options, lazyConnect: true };
  const client = url === undefined ? new Redis(lazy) : new Redis(url, lazy);
  clients.push(client);
  return client;
}

function cluster(...args: ConstructorParameters<typeof Cluster>): Cluster {
  const client = new Cluster(args[0], { ...args[1], lazyConnect: true });
  clients.push(client);
  return client;
}

const NOBODY = { username: undefined, password: undefined, tls: undefined };

describe("endpointFromClient", () => {
  test("a client connects where its options say", () => {
    expect(endpointFromClient(redis({ keyPrefix: "app:" }, "rediss://ann:s@h:7000/3"))).toEqual({
      place: { kind: "server", host: "h", port: 7000 },
      access: { username: "ann", password: "s", tls: {} },
      db: 3,
      family: 0,
      keyPrefix: "app:",
    });
    expect(endpointFromClient(redis({ path: "/run/r.sock" })).place).toEqual({
      kind: "socket",
      path: "/run/r.sock",
    });
  });

  test("behind Sentinel", () => {
    const client = redis({
      sentinels: [{ host: "s1" }, { host: "s2", port: 1 }],
      name: "m",
      sentinelPassword: "watch",
      password: "data",
      tls: {},
    });
    expect(endpointFromClient(client)).toMatchObject({
      place: {
        kind: "sentinel",
        sentinels: [
          { host: "s1", port: 26_379 },
          { host: "s2", port: 1 },
        ],
        masterName: "m",
        access: { ...NOBODY, password: "watch" },
      },
      access: { ...NOBODY, password: "data" },
    });
  });

  test("a Cluster", () => {
    const client = cluster([{ host: "c1", port: 7000 }, "redis://c2:7001", 7002], {
      redisOptions: { password: "s" },
      keyPrefix: "{app}:",
      natMap: { "10.0.0.1:1": { host: "c1", port: 2 } },
    });
    expect(endpointFromClient(client)).toMatchObject({
      place: {
        kind: "cluster",
        seeds: [
          { host: "c1", port: 7000 },
          { host: "c2", port: 7001 },
          { host: "localhost", port: 7002 },
        ],
        natMap: { "10.0.0.1:1": { host: "c1", port: 2 } },
      },
      access: { ...NOBODY, password: "s" },
      keyPrefix: "{app}:",
    });
  });

  test.each([
    [
      { sentinels: [{ host: "s" }], name: "m", role: "slave" as const },
      "with role slave cannot be a node: a lock needs masters",
    ],
    [
      { sentinels: [{ host: "s" }], name: "m", natMap: () => null },
      "with a natMap function cannot be a node",
    ],
  ])("%o cannot be repeated", (options, message) => {
    expect(() => endpointFromClient(redis(options))).toThrow(
      expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) as string }),
    );
  });
});

describe("isIoredisClient", () => {
  test("knows instances of any copy by what they can do", () => {
    expect(isIoredisClient(redis({}))).toBe(true);
    expect(isIoredisClient(cluster([7000]))).toBe(true);
  });

  test.each([[Redis], [{ status: "ready" }], ["redis://h"], [undefined], [{ isOpen: true, options: {} }]])(
    "%o is none",
    (value) => {
      expect(isIoredisClient(value)).toBe(false);
    },
  );
});
