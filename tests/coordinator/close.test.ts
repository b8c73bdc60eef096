/** Closing leaves nothing behind, whatever the connections were doing. */
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, type NodeAddress, Redlock } from "../../src/index.ts";
import {
  type ConfiguredServer,
  openServerRoom,
  type ServerRoom,
} from "../servers/configured-servers.fixture.ts";

let room: ServerRoom;
let server: ConfiguredServer;

beforeEach(async () => {
  room = await openServerRoom();
  server = await room.start();
});

afterEach(async () => {
  await room.close();
});

/** How many sockets, look-ups and timers keep this process alive, by kind. */
function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (/TCP|Pipe|TLS|Timeout|AddrInfo|Connect/.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Looks until nothing is left but what was there before; what was there may have gone. */
async function expectNothingLeft(before: ReadonlyMap<string, number>): Promise<void> {
  const left = (): readonly string[] =>
    [...resources()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind);
  // The poll has a timer of its own.
  await expect.poll(() => left().filter((kind) => kind !== "Timeout"), { timeout: 1000 }).toEqual([]);
  for (let looks = 0; looks < 25 && left().length > 0; looks++) await delay(20);
  expect(left()).toEqual([]);
}

const PORT_OF_NOBODY = 1;
const at = (port: number): string => `redis://127.0.0.1:${String(port)}`;

/** By what the connection is doing; the server stands still, so that what was begun does not end. */
const ADDRESSES: Readonly<Record<string, (stalled: ConfiguredServer) => NodeAddress>> = {
  "a server that answers nothing": ({ port }) => `redis://:secret@127.0.0.1:${String(port)}`,
  "TLS that is being set up": ({ port }) => `rediss://127.0.0.1:${String(port)}`,
  "a port that nobody has": () => at(PORT_OF_NOBODY),
  "a socket that is not there": ({ folder }) => `${folder}/none.sock`,
  "a host that does not answer": () => "redis://10.255.255.1:6379",
  "a name that is no host's": () => "redis://no-such-host.invalid:6379",
  "sentinels that answer nothing": ({ port }) => ({
    sentinels: [at(port), at(PORT_OF_NOBODY)],
    name: "locks",
  }),
  "sentinels that are away": () => ({ sentinels: [at(PORT_OF_NOBODY)], name: "locks" }),
  "a cluster that answers nothing": ({ port }) => ({ cluster: [at(PORT_OF_NOBODY), at(port)] }),
};

describe("close", () => {
  test.each(Object.keys(ADDRESSES).flatMap((name) => [0, 60].map((afterMs) => [name, afterMs] as const)))(
    "of %s, after %i ms",
    async (name, afterMs) => {
      server.stall();
      // What the test's own questions to the server have left goes first.
      await delay(120);
      const before = resources();
      const address = ADDRESSES[name]?.(server) ?? "";
      const redlock = new Redlock([address], { nodeTimeoutMs: 20, restartGuard: "off" });
      redlock.observe(() => undefined);
      const acquiring = redlock.acquire("orders", 1000, { waitMs: 5000 }).catch((error: unknown) => error);
      if (afterMs > 0) await delay(afterMs);
      const closedAtMs = performance.now();
      await redlock.close();
      expect(performance.now() - closedAtMs).toBeLessThan(1000);
      expect(await acquiring).toMatchObject({ name: "RedlockError", code: "aborted" });
      await expectNothingLeft(before);
    },
  );

  test("of nodes that nobody used, and of a client that was copied, which goes on", async () => {
    const client = new Redis(server.port, "127.0.0.1");
    await client.ping();
    const before = resources();
    const redlock = new Redlock([client], { restartGuard: "off" });
    await redlock.close();
    const nodes = createNodes([server.url]);
    await expect.poll(() => server.ask("INFO", "clients")).toContain("connected_clients:3");
    await Promise.all(nodes.map((node) => node.close()));
    await expectNothingLeft(before);
    expect(await client.ping()).toBe("PONG");
    client.disconnect();
  });

  test("of a membership that was refused by the options: no connection is left", async () => {
    const before = resources();
    expect(() => new Redlock([server.url], { quorum: 7 })).toThrow("quorum must be");
    await expectNothingLeft(before);
  });
});
