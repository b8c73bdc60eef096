import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { caught } from "./caught.fixture.ts";
import { fakeNodes } from "./fake-node.fixture.ts";
import type { Lock } from "./lock.ts";
import { Redlock } from "./redlock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const sleep = (forMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, forMs));

/** A body that never ends by itself. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });

describe("using", () => {
  test("gives what the body gives, holds the lock for as long as it goes on, and leaves nothing", async () => {
    const nodes = fakeNodes();
    let remainingMs = 0;
    const using = new Redlock(nodes).using("orders", 1000, async (signal, lock) => {
      await sleep(5000);
      expect(signal.aborted).toBe(false);
      remainingMs = lock.remainingMs();
      return "done";
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await using).toBe("done");
    expect(remainingMs).toBeGreaterThan(600);
    await vi.advanceTimersByTimeAsync(1);
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("options stand before the body, as in redlock 5", async () => {
    const redlock = new Redlock(fakeNodes());
    const held = await redlock.acquire("orders", 1000);
    const using = redlock.using("orders", 1000, { waitMs: 1000 }, () => "waited");
    await vi.advanceTimersByTimeAsync(100);
    await held.release();
    await vi.advanceTimersByTimeAsync(900);
    expect(await using).toBe("waited");
  });

  test("the body never runs unless the lock is held (peers 32)", async () => {
    const redlock = new Redlock(fakeNodes());
    await redlock.acquire("orders", 1000);
    const body = vi.fn();
    expect((await caught(redlock.using("orders", 1000, body))).code).toBe("contended");
    expect(body).not.toHaveBeenCalled();
  });

  test("without a body it is misuse, and nothing is sent", async () => {
    const nodes = fakeNodes();
    const withoutBody = new Redlock(nodes).using("orders", 1000, {}, undefined as never);
    expect((await caught(withoutBody)).code).toBe("misuse");
    expect(nodes[0]!.received).toEqual([]);
  });

  test("the signal aborts at once when an extension finds the lock lost", async () => {
    const nodes = fakeNodes();
    let abortedAfterMs: number | undefined;
    const using = new Redlock(nodes).using("orders", 1000, async (signal) => {
      for (const { keys } of nodes) keys.set("orders", "other");
      const startedAtMs = performance.now();
      signal.addEventListener("abort", () => {
        abortedAfterMs = performance.now() - startedAtMs;
      });
      return await untilAborted(signal);
    });
    const error = caught(using);
    await vi.advanceTimersByTimeAsync(400);
    expect(await error).toMatchObject({ code: "lost", resource: "orders" });
    expect(abortedAfterMs).toBeDefined();
    expect(nodes[0]!.keys.get("orders")).toBe("other");
  });

  test("a failed extension is tried again until the deadline", async () => {
    const nodes = fakeNodes();
    // However the pauses are drawn, one of the tries falls between the heal and the deadline.
    const using = new Redlock(nodes, { retryCapMs: 40 }).using("orders", 1000, async (signal) => {
      await sleep(300);
      for (const node of nodes) node.mode = "away";
      await sleep(600);
      for (const node of nodes) node.mode = "prompt";
      await sleep(600);
      return signal.aborted;
    });
    await vi.advanceTimersByTimeAsync(1500);
    expect(await using).toBe(false);
  });

  test("with the majority silent the signal aborts at the deadline", async () => {
    const nodes = fakeNodes();
    const error = caught(
      new Redlock(nodes).using("orders", 1000, async (signal) => {
        for (const node of nodes) node.mode = "silent";
        return await untilAborted(signal);
      }),
    );
    await vi.advanceTimersByTimeAsync(989);
    await vi.advanceTimersByTimeAsync(51);
    expect(await error).toMatchObject({ code: "expired" });
  });

  test("after maxHoldMs the lock runs out", async () => {
    const error = caught(
      new Redlock(fakeNodes()).using("orders", 1000, { maxHoldMs: 2000 }, async (signal) => {
        return await untilAborted(signal);
      }),
    );
    await vi.advanceTimersByTimeAsync(1900);
    let isOver = false;
    void error.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1200);
    expect(await error).toMatchObject({ code: "expired" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("what the body throws is thrown, and the loss of the lock is its cause (peers 28, N14, E22)", async () => {
    const nodes = fakeNodes();
    const bodyError = new Error("the body failed");
    const using = new Redlock(nodes).using("orders", 1000, async () => {
      for (const { keys } of nodes) keys.clear();
      await sleep(500);
      throw bodyError;
    });
    const error = caught(using);
    await vi.advanceTimersByTimeAsync(500);
    expect(await error).toBe(bodyError);
    expect(bodyError.cause).toMatchObject({ code: "lost" });
  });

  test("while the lock is held the body's error is thrown as it is", async () => {
    const bodyError = new Error("the body failed");
    const nodes = fakeNodes();
    const using = new Redlock(nodes).using("orders", 1000, () => {
      throw bodyError;
    });
    expect(await caught(using)).toBe(bodyError);
    expect(bodyError).not.toHaveProperty("cause");
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("a body that comes to its end after a loss gives its result, unless that is to fail", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const loseIt = async (): Promise<string> => {
      for (const { keys } of nodes) keys.clear();
      await sleep(500);
      return "done";
    };
    const told = redlock.using("orders", 1000, loseIt);
    const failing = caught(redlock.using("invoices", 1000, { failIfLost: true }, loseIt));
    await vi.advanceTimersByTimeAsync(500);
    expect(await told).toBe("done");
    expect(await failing).toMatchObject({ code: "lost", resource: "invoices" });
  });

  test("a body that has released the lock itself is not told of a loss", async () => {
    const redlock = new Redlock(fakeNodes());
    const early = async (_signal: AbortSignal, lock: Lock): Promise<string> => {
      await lock.release();
      return "done";
    };
    expect(await redlock.using("orders", 1000, { failIfLost: true }, early)).toBe("done");
  });

  test("close ends the extensions, and the signal still aborts at the deadline", async () => {
    const redlock = new Redlock(fakeNodes());
    const error = caught(redlock.using("orders", 1000, untilAborted));
    await vi.advanceTimersByTimeAsync(100);
    await redlock.close();
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await error).toMatchObject({ code: "expired" });
  });
});
