/** What the restart guard makes of nodes that are declared durable, and of users that may not do all it needs. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodes, type NodeOptions, Redlock, RedlockError, type RedlockEvent } from "../../src/index.ts";
import {
  type ConfiguredServer,
  openServerRoom,
  type ServerRoom,
} from "../servers/configured-servers.fixture.ts";

const LONGEST_MS = 1000;
const TTL_MS = 900;
const SYNCED = ["--appendonly", "yes", "--appendfsync", "always"];

const withRights = (...rights: readonly string[]) => [
  ...["--user", "app", "on", ">secret", "~*", "&*", "+@all"],
  ...rights,
];

let room: ServerRoom;
let opened: Redlock[];

beforeEach(async () => {
  room = await openServerRoom();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((redlock) => redlock.close()));
  await room.close();
});

interface Opened {
  readonly redlock: Redlock;
  readonly warnings: readonly string[];
}

function open(url: string, options: NodeOptions = {}, firstUse: "wait" | "trust" = "trust"): Opened {
  const redlock = new Redlock(createNodes([url], options), {
    nodeTimeoutMs: 500,
    startUpProbe: "off",
    restartGuard: { longestLifetimeMs: LONGEST_MS, firstUse },
  });
  opened.push(redlock);
  const warnings: string[] = [];
  redlock.observe((event: RedlockEvent) => {
    if (event.kind === "node-warning") warnings.push(event.message);
  });
  return { redlock, warnings };
}

/** What an acquire ends with: nothing special, or its code and what the node said. */
async function outcomeOf(acquiring: Promise<unknown>): Promise<string> {
  try {
    await acquiring;
    return "granted";
  } catch (error) {
    if (!(error instanceof RedlockError)) throw error;
    const [vote] = error.votes;
    return vote?.kind === "refused" ? `${error.code}: ${vote.reason}` : error.code;
  }
}

async function restart(server: ConfiguredServer): Promise<void> {
  await server.kill();
  await server.start();
}

/** Asks until the connection stands again. */
async function outcomeAfterRestart(redlock: Redlock): Promise<string> {
  let outcome = "unavailable";
  await expect
    .poll(async () => (outcome = await outcomeOf(redlock.acquire("invoices", TTL_MS))), { timeout: 5000 })
    .not.toBe("unavailable");
  return outcome;
}

describe("a node that is declared durable", () => {
  test("votes right after a restart, and still has what it had granted", async () => {
    const server = await room.start(SYNCED);
    const { redlock, warnings } = open(server.url, { durable: true });
    await redlock.acquire("orders", TTL_MS, { waitMs: 1000 });
    await restart(server);
    expect(await outcomeAfterRestart(redlock)).toBe("granted");
    const rival = open(server.url, { durable: true }, "wait").redlock;
    expect(await outcomeOf(rival.acquire("orders", TTL_MS))).toBe("contended: held");
    expect(warnings).toEqual([]);
  });

  test("is quarantined all the same where nobody declares it", async () => {
    const server = await room.start(SYNCED);
    const { redlock } = open(server.url);
    await redlock.acquire("orders", TTL_MS, { waitMs: 1000 });
    await restart(server);
    expect(await outcomeAfterRestart(redlock)).toBe("unavailable: quarantined");
  });

  test("and emptied, casts no vote", async () => {
    const server = await room.start(SYNCED);
    const { redlock } = open(server.url, { durable: true });
    await redlock.acquire("orders", TTL_MS, { waitMs: 1000 });
    await server.ask("FLUSHALL");
    expect(await outcomeOf(redlock.acquire("invoices", TTL_MS))).toBe("unavailable: quarantined");
  });

  test("and is not, is told once, and quarantined like any other", async () => {
    const server = await room.start(["--appendonly", "yes", "--appendfsync", "everysec"]);
    const { redlock, warnings } = open(server.url, { durable: true });
    await redlock.acquire("orders", TTL_MS, { waitMs: 1000 });
    await restart(server);
    expect(await outcomeAfterRestart(redlock)).toBe("unavailable: quarantined");
    expect(warnings).toEqual([expect.stringContaining("appendfsync is everysec, not always") as string]);
  });

  test("and was not when its guard was written, is quarantined once more", async () => {
    const server = await room.start(SYNCED);
    const before = open(server.url);
    await before.redlock.acquire("orders", TTL_MS, { waitMs: 1000 });
    await restart(server);
    const { redlock } = open(server.url, { durable: true }, "wait");
    expect(await outcomeAfterRestart(redlock)).toBe("unavailable: quarantined");
  });

  test("behind Sentinel or as a Cluster is misuse", () => {
    const sentinel = { sentinels: ["redis://127.0.0.1:1"], name: "locks" };
    expect(() => createNodes([sentinel], { durable: true })).toThrow("durable");
  });
});

describe("a user", () => {
  const withUser = (rights: string) => room.start(withRights(...rights.split(" ")));
  const asApp = { username: "app", password: "secret" };

  test.each([
    ["scripts", "-eval", "runs no scripts for this user"],
    [
      "keys of the guard",
      "resetkeys ~orders ~invoices",
      "does not give this user the keys of its guard (NOPERM: ",
    ],
    ["INFO", "-info", "does not tell its run_id"],
  ])("without %s has a guard of its own process, which is told once", async (_what, rights, message) => {
    const server = await withUser(rights);
    const { redlock, warnings } = open(server.url, asApp, "wait");
    const startedMs = performance.now();
    await expect
      .poll(() => outcomeOf(redlock.acquire("orders", TTL_MS)), { timeout: 5000 })
      .toBe("unavailable: quarantined");
    const lock = await redlock.acquire("orders", TTL_MS, { waitMs: 5000 });
    expect(lock.votes).toMatchObject([{ kind: "granted", guardedBy: "process" }]);
    expect(performance.now() - startedMs).toBeGreaterThan(LONGEST_MS / 2);
    await restart(server);
    expect(await outcomeAfterRestart(redlock)).toBe("unavailable: quarantined");
    expect(warnings).toEqual([expect.stringContaining(message) as string]);
  });

  test("without CONFIG has no durable node", async () => {
    const server = await room.start([...SYNCED, ...withRights("-config")]);
    const { redlock, warnings } = open(server.url, { ...asApp, durable: true });
    await redlock.acquire("orders", TTL_MS, { waitMs: 1000 });
    await restart(server);
    expect(await outcomeAfterRestart(redlock)).toBe("unavailable: quarantined");
    expect(warnings).toEqual([expect.stringContaining("is declared durable and is not") as string]);
  });
});
