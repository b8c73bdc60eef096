/**
 * What other lock libraries did on real servers when they were measured, played with this one. Limits of time
 * are wide: they tell an answer from a hang, not a fast one from a slow one.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createNodes, Redlock } from "../../src/index.ts";
import { type Cluster, codeOf, openCluster, timeOf } from "./cluster.fixture.ts";
import { startSlowProxy } from "./slow-proxy.fixture.ts";

/** Peers took seconds, or never came back. */
const PROMPT_MS = 1000;

let cluster: Cluster;

afterEach(async () => {
  await cluster.close();
});

const granted = (lock: { readonly votes: readonly { readonly kind: string; readonly node: string }[] }) =>
  lock.votes.filter(({ kind }) => kind === "granted").map(({ node }) => node);

describe("a quorum that cannot be had", () => {
  test("peers 13, E1: two nodes, one vote each way: the split settles as contention", async () => {
    cluster = await openCluster(2);
    await cluster.ask("B", "SET", "orders", "other", "PX", "60000");
    const acquiring = codeOf(cluster.redlock.acquire("orders", 1000));
    expect(await timeOf(acquiring)).toBeLessThan(PROMPT_MS);
    expect(await acquiring).toBe("contended");
    await expect.poll(() => cluster.keysOf("orders")).toEqual(["B orders"]);
  });

  test("peers 3, E2: a waiting acquire is not kept out by its own keys", async () => {
    cluster = await openCluster(3);
    await cluster.ask("B", "SET", "orders", "other", "PX", "150");
    await cluster.ask("C", "SET", "orders", "other", "PX", "60000");
    const lock = await cluster.redlock.acquire("orders", 3000, { waitMs: 3000 });
    expect(granted(lock)).toEqual(["A", "B"]);
    await lock.release();
  });

  test("peers 4, 8, E5b: with the majority frozen an acquire fails instead of hanging", async () => {
    cluster = await openCluster(3);
    for (const name of ["B", "C"]) cluster.server(name).stall();
    const acquiring = codeOf(cluster.redlock.acquire("orders", 5000));
    expect(await timeOf(acquiring)).toBeLessThan(PROMPT_MS);
    expect(await acquiring).toBe("unavailable");
    for (const name of ["B", "C"]) cluster.server(name).resume();
    await expect.poll(() => cluster.keysOf("orders")).toEqual([]);
  });
});

describe("a node that is frozen, slow, down or restarted", () => {
  test("peers 6, 7, 8, 9, E5: one of three frozen costs nothing: acquire, extend and release come back", async () => {
    cluster = await openCluster(3);
    cluster.server("C").stall();
    const startedAtMs = performance.now();
    const lock = await cluster.redlock.acquire("orders", 60_000);
    await lock.extend(60_000);
    expect((await lock.release()).kind).toBe("released");
    expect(performance.now() - startedAtMs).toBeLessThan(PROMPT_MS);
    cluster.server("C").resume();
    await expect.poll(() => cluster.keysOf("orders")).toEqual([]);
  });

  test("peers 12: a server that dies while it is being asked takes nothing with it", async () => {
    cluster = await openCluster(3);
    cluster.server("C").stall();
    const lock = await cluster.redlock.acquire("orders", 60_000);
    const extending = lock.extend(60_000);
    await cluster.server("C").kill();
    await extending;
    await lock.extend(60_000);
    expect((await lock.release()).kind).toBe("released");
    await cluster.server("C").start();
    await (await cluster.redlock.acquire("orders", 1000)).release();
    await expect.poll(() => cluster.keysOf("orders")).toEqual([]);
  });

  test("peers 1, 3, E3: with answers slower than the TTL no lock is handed out", async () => {
    cluster = await openCluster(1);
    const proxy = await startSlowProxy(cluster.server("A").port, 0);
    const redlock = new Redlock(createNodes([proxy.url]), { nodeTimeoutMs: 2000, restartGuard: "off" });
    await (await redlock.acquire("warm-up", 1000, { waitMs: 2000 })).release();
    proxy.delayMs = 100;
    expect(await codeOf(redlock.acquire("orders", 100))).toBe("unavailable");
    await delay(300);
    expect(await cluster.keysOf("orders")).toEqual([]);
    await redlock.close();
    await proxy.close();
  });

  test("peers 46, E9: what is left of the validity is never more than what the key has left", async () => {
    cluster = await openCluster(1);
    const proxy = await startSlowProxy(cluster.server("A").port, 0);
    const redlock = new Redlock(createNodes([proxy.url]), { nodeTimeoutMs: 2000, restartGuard: "off" });
    await (await redlock.acquire("warm-up", 1000, { waitMs: 2000 })).release();
    proxy.delayMs = 100;
    const lock = await redlock.acquire("orders", 1000);
    const claims = [lock.remainingMs()];
    const keyLeft = [Number(await cluster.ask("A", "PTTL", "orders"))];
    await lock.extend(1000);
    claims.push(lock.remainingMs());
    keyLeft.push(Number(await cluster.ask("A", "PTTL", "orders")));
    expect(claims[0]).toBeLessThan(810);
    // The key is asked later than the lock, by less than the drift allowance takes off.
    expect(claims[0]).toBeLessThan((keyLeft[0] ?? 0) + 50);
    expect(claims[1]).toBeLessThan((keyLeft[1] ?? 0) + 50);
    await lock.release();
    await redlock.close();
    await proxy.close();
  });

  test("peers 10, 59, E6: a frozen node that took a lost acquire is undone when it thaws", async () => {
    cluster = await openCluster(3);
    await cluster.ask("A", "SET", "orders", "other", "PX", "60000");
    await cluster.ask("B", "SET", "orders", "other", "PX", "60000");
    cluster.server("C").stall();
    expect(await codeOf(cluster.redlock.acquire("orders", 20_000))).toBe("contended");
    cluster.server("C").resume();
    // Whatever was in the socket of C runs now: the acquire, and its undo right behind it.
    await expect.poll(() => cluster.ask("C", "EXISTS", "orders")).toBe(0);
    expect(cluster.redlock.orphanCount).toBe(0);
  });

  test("peers E7b: acquired and released while a node was down: nothing is there when it comes back", async () => {
    cluster = await openCluster(3);
    await cluster.server("C").kill();
    const lock = await cluster.redlock.acquire("orders", 20_000);
    expect((await lock.release()).kind).toBe("released");
    await cluster.server("C").start();
    await delay(1000);
    expect(await cluster.keysOf("orders")).toEqual([]);
  });
});

describe("what is over", () => {
  test("peers 26, 27, E4: releasing what has expired comes back at once and says so", async () => {
    cluster = await openCluster(3);
    const lock = await cluster.redlock.acquire("orders", 100);
    await delay(150);
    const releasing = lock.release();
    expect(await timeOf(releasing)).toBeLessThan(PROMPT_MS);
    expect((await releasing).kind).toBe("expired");
  });

  test("peers 53, 76, N3, E11, E13: with the majority frozen the signal still fires at the deadline", async () => {
    cluster = await openCluster(3);
    const lock = await cluster.redlock.acquire("orders", 400);
    for (const { name } of cluster.servers.slice(1)) cluster.server(name).stall();
    const extending = codeOf(lock.extend(400));
    await new Promise((resolve) => {
      lock.signal.addEventListener("abort", resolve);
    });
    expect(lock.signal.reason).toMatchObject({ code: "expired" });
    expect(lock.remainingMs()).toBe(0);
    expect(await extending).toBe("expired");
    for (const { name } of cluster.servers.slice(1)) cluster.server(name).resume();
  });
});

test("peers 16, N5, E16: a quorum below the majority is refused", async () => {
  cluster = await openCluster(3);
  await expect(cluster.client({ quorum: 1 })).rejects.toMatchObject({ code: "misuse" });
});
