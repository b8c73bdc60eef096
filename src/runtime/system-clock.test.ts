import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeNodes } from "../fake-node.fixture.ts";
import { Redlock } from "../redlock.ts";
import { systemClock } from "./system-clock.ts";
import { systemTimers } from "./system-timers.ts";

/** For how long the machine has stood still: only its monotonic clock did not go on. */
const machine = vi.hoisted(() => {
  // Before the clock is made: whatever runs this test, its boot-time clock is the one below.
  Object.defineProperty(process, "platform", { value: "linux" });
  return { suspendedMs: 0 };
});

vi.mock("node:os", async (importOriginal) => {
  const os: typeof import("node:os") = await importOriginal();
  return { ...os, uptime: () => os.uptime() + machine.suspendedMs / 1000 };
});

const wallNow = Date.now;

beforeEach(() => {
  vi.spyOn(Date, "now").mockImplementation(() => wallNow() + machine.suspendedMs);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The machine stands still. */
function suspend(forMs: number): void {
  machine.suspendedMs += forMs;
}

describe("a suspended Linux machine", () => {
  test("the clock counts the time for which it stood still (peers N9)", () => {
    const beforeMs = systemClock.nowMs();
    suspend(5000);
    expect(systemClock.nowMs() - beforeMs).toBeGreaterThanOrEqual(5000);
    expect(systemClock.nowMs() - beforeMs).toBeLessThan(5500);
  });

  test("a step of the wall clock moves nothing (peers 74, N9)", () => {
    const beforeMs = systemClock.nowMs();
    vi.spyOn(Date, "now").mockImplementation(() => wallNow() + machine.suspendedMs + 3_600_000);
    expect(systemClock.nowMs() - beforeMs).toBeLessThan(500);
  });

  test("a timer that came due meanwhile rings soon after, and not later by as much", async () => {
    const rung = new Promise<void>((resolve) => {
      systemTimers.after(60_000, resolve, { keepAlive: true });
    });
    suspend(120_000);
    await rung;
  });

  test("a timer that is not due yet goes on, less the time that went by", async () => {
    let isRung = false;
    const cancel = systemTimers.after(60_000, () => (isRung = true), { keepAlive: false });
    suspend(30_000);
    await new Promise((resolve) => systemTimers.after(250, () => resolve(undefined), { keepAlive: true }));
    expect(isRung).toBe(false);
    cancel();
  });

  test("a lock whose validity went by meanwhile is over, and its signal says so", async () => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 30_000);
    const { signal } = lock;
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    suspend(60_000);
    expect(lock.remainingMs()).toBe(0);
    expect(lock.ending).toBe("expired");
    await aborted;
    expect(signal.reason).toMatchObject({ code: "expired" });
    expect((await lock.release()).kind).toBe("expired");
  });

  test("no timer is left when nothing is waited for", () => {
    const made = vi.spyOn(globalThis, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    systemTimers.after(60_000, () => undefined, { keepAlive: false })();
    expect(made).toHaveBeenCalledTimes(2);
    expect(new Set(cleared.mock.calls.map(([handle]) => handle)).size).toBe(2);
  });
});
