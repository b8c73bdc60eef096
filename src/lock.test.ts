import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeNodes } from "./fake-node.fixture.ts";
import { Redlock } from "./redlock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("keepAlive", () => {
  test("a lock that was acquired plainly is extended from then on, until it is released", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    lock.keepAlive();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lock.remainingMs()).toBeGreaterThan(600);
    await lock.release();
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("it asks for the lifetime that it is given", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    lock.keepAlive({ ttlMs: 3000 });
    await vi.advanceTimersByTimeAsync(900);
    expect(nodes[0]!.received).toContainEqual(expect.objectContaining({ kind: "extend", ttlMs: 3000 }));
    expect(lock.remainingMs()).toBeGreaterThan(1900);
    await lock.release();
  });

  test("called again, the new options take the place of the old", async () => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    lock.keepAlive();
    lock.keepAlive({ maxHoldMs: 500 });
    await vi.advanceTimersByTimeAsync(1700);
    expect(lock.ending).toBe("expired");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("nothing of it is left when the lock is lost", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    lock.keepAlive();
    for (const { keys } of nodes) keys.clear();
    await expect(lock.extend(1000)).rejects.toMatchObject({ code: "lost" });
    await vi.advanceTimersByTimeAsync(1);
    expect(lock.ending).toBe("lost");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("its timers keep no process alive", async () => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(1);
    const made = vi.spyOn(globalThis, "setTimeout");
    lock.keepAlive();
    await vi.advanceTimersByTimeAsync(2000);
    const timers = made.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef());
    expect(timers.length).toBeGreaterThan(2);
    expect(timers).not.toContain(true);
    made.mockRestore();
    await lock.release();
  });

  test("of a lock that was released throws aborted", async () => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    await lock.release();
    expect(() => lock.keepAlive()).toThrow(expect.objectContaining({ code: "aborted" }));
  });

  test.each([{ ttlMs: 0 }, { maxHoldMs: 0 }, { maxHoldMs: Number.NaN }])("%j is misuse", async (options) => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    expect(() => lock.keepAlive(options)).toThrow(expect.objectContaining({ code: "misuse" }));
  });
});
