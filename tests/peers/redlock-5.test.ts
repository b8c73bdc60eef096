/**
 * The uses that redlock 5 shows its users, on this coordinator: the calls are theirs, and only the import line is
 * ours. The nodes have been in use before, as those of a program that moves have.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Lock, Redlock, ExecutionError, ResourceLockedError } from "../../src/redlock-5.ts";
import { type Cluster, openCluster } from "./cluster.fixture.ts";

let cluster: Cluster;
let clients: Redis[];
let redlock: Redlock;

beforeEach(async () => {
  cluster = await openCluster(3, { restartGuard: { firstUse: "trust" } });
  clients = cluster.servers.map(({ port }) => new Redis({ host: "127.0.0.1", port }));
  for (const client of clients) client.on("error", () => undefined);
  redlock = new Redlock(clients, {
    driftFactor: 0.01,
    retryCount: 10,
    retryDelay: 200,
    retryJitter: 200,
    automaticExtensionThreshold: 500,
  });
});

afterEach(async () => {
  await redlock.quit();
  await cluster.close();
});

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("using", () => {
  test("a routine runs under a lock longer than the lock would live", async () => {
    const steps: string[] = [];
    await redlock.using(["sender", "recipient"], 700, async (signal) => {
      steps.push("debit");
      await delay(1500);
      if (signal.aborted) throw signal.error ?? new Error("aborted");
      expect(await cluster.ask("A", "EXISTS", "sender", "recipient")).toBe(2);
      steps.push("credit");
    });
    expect(steps).toEqual(["debit", "credit"]);
    await expect.poll(() => cluster.keysOf("[rs]e[cn]*")).toEqual([]);
  });

  test("it gives what the routine gives, and takes settings before it", async () => {
    expect(await redlock.using(["orders"], 1000, { retryCount: 0 }, async () => Promise.resolve(7))).toBe(7);
  });

  test("a lock that is stolen aborts the signal with an error, and the call rejects (peers E13b)", async () => {
    let error: Error | undefined;
    const using = redlock.using(["orders"], 600, async (signal) => {
      for (const { name } of cluster.servers) await cluster.ask(name, "SET", "orders", "thief");
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      error = signal.error;
    });
    expect(await caught(using)).toMatchObject({ code: "lost" });
    expect(error).toMatchObject({ code: "lost" });
  });
});

describe("acquire, extend and release by hand", () => {
  test("the lock is given back whatever the work does", async () => {
    let lock = await redlock.acquire(["orders"], 1000);
    try {
      expect(lock.resources).toEqual(["orders"]);
      expect(lock.value).toMatch(/^[0-9a-f]{32,}$/);
      const before = lock.expiration;
      expect(before - Date.now()).toBeGreaterThan(500);
      await delay(50);
      lock = await lock.extend(1000);
      expect(lock.expiration).toBeGreaterThan(before);
    } finally {
      await lock.release();
    }
    expect(lock.expiration).toBe(0);
    await expect.poll(() => cluster.keysOf("orders")).toEqual([]);
  });

  test("the handle from before an extension is the same lock", async () => {
    const lock = await redlock.acquire(["orders"], 1000);
    const extended: Lock = await redlock.extend(lock, 1000);
    expect(extended).toBe(lock);
    expect(await redlock.release(lock)).toMatchObject({ kind: "released" });
  });

  test("several resources are taken together or not at all (peers 17)", async () => {
    const lock = await redlock.acquire(["sender", "recipient"], 5000);
    expect(lock.resources).toEqual(["sender", "recipient"]);
    expect(await cluster.ask("A", "MGET", "sender", "recipient")).toEqual([lock.value, lock.value]);
    const second = caught(redlock.acquire(["invoices", "sender"], 1000, { retryCount: 0 }));
    expect(await second).toBeInstanceOf(ResourceLockedError);
    expect(await cluster.ask("A", "EXISTS", "invoices")).toBe(0);
    await lock.release();
    await expect.poll(() => cluster.keysOf("[rs]e[cn]*")).toEqual([]);
  });

  test("one call has settings of its own, and a held resource fails by a name and a code", async () => {
    const lock = await cluster.redlock.acquire("orders", 5000);
    const error = await caught(redlock.acquire(["orders"], 1000, { retryCount: 0 }));
    expect(error).toBeInstanceOf(ResourceLockedError);
    expect(error).toBeInstanceOf(ExecutionError);
    const [attempt] = (error as ExecutionError).attempts;
    expect((await attempt)?.votesAgainst.has(clients[0])).toBe(true);
    await lock.release();
  });

  test("an acquire that retries gets the lock when it is free, with its whole validity (peers 2)", async () => {
    const first = await redlock.acquire(["orders"], 5000);
    const second = redlock.acquire(["orders"], 5000);
    await delay(300);
    await first.release();
    const lock = await second;
    expect(lock.expiration - Date.now()).toBeGreaterThan(4500);
    await lock.extend(5000);
    await lock.release();
  });

  test("releasing an expired lock rejects no more", async () => {
    const lock = await redlock.acquire(["orders"], 100);
    await delay(150);
    expect((await lock.release()).kind).toBe("expired");
  });
});

describe('on("error")', () => {
  test("contention is told to nobody, an outage is", async () => {
    const errors: Error[] = [];
    redlock.on("error", (error) => {
      if (error instanceof ResourceLockedError) return;
      errors.push(error);
    });
    const lock = await redlock.acquire(["orders"], 1000);
    await caught(redlock.acquire(["orders"], 1000, { retryCount: 0 }));
    expect(errors).toEqual([]);
    for (const { name } of cluster.servers.slice(1)) cluster.server(name).stall();
    await caught(redlock.acquire(["invoices"], 1000, { retryCount: 0 }));
    expect(errors).toMatchObject([{ code: "unavailable" }]);
    for (const { name } of cluster.servers.slice(1)) cluster.server(name).resume();
    await lock.release();
  });

  test("once is told once, off is told nothing, and another event is misuse", async () => {
    const told: string[] = [];
    const never = () => told.push("never");
    redlock.once("error", () => told.push("once"));
    redlock.on("error", never).off("error", never);
    for (const { name } of cluster.servers.slice(1)) cluster.server(name).stall();
    for (let count = 0; count < 2; count++) await caught(redlock.acquire(["orders"], 500, { retryCount: 0 }));
    expect(told).toEqual(["once"]);
    for (const { name } of cluster.servers.slice(1)) cluster.server(name).resume();
    expect(() => redlock.on("clientError" as "error", never)).toThrow('there is no event "clientError"');
  });
});

test("listeners are counted, and taken away together", () => {
  redlock.on("error", () => undefined).once("error", () => undefined);
  expect(redlock.listenerCount("error")).toBe(2);
  expect(redlock.removeAllListeners().listenerCount("error")).toBe(0);
});

test("a string is no list, an empty list locks nothing, and a setting for all is no setting for one (peers 18)", async () => {
  expect(await caught(redlock.acquire("orders" as unknown as string[], 1000))).toMatchObject({
    code: "misuse",
  });
  expect(await caught(redlock.acquire([], 1000))).toMatchObject({ code: "misuse" });
  expect(await caught(redlock.acquire(["orders"], 1000, { driftFactor: 0.1 }))).toMatchObject({
    code: "misuse",
  });
  expect(() => new Redlock([])).toThrow("at least one client");
});
