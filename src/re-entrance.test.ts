import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { caught } from "./caught.fixture.ts";
import { fakeNodes } from "./fake-node.fixture.ts";
import type { Lock } from "./lock.ts";
import type { RedlockOptions } from "./options.ts";
import { Redlock } from "./redlock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const sleep = (forMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, forMs));
const open = (options: RedlockOptions = {}) => {
  const nodes = fakeNodes();
  return { nodes, redlock: new Redlock(nodes, { reentrant: true, ...options }) };
};
const acquiresOf = (nodes: ReturnType<typeof fakeNodes>): number =>
  nodes[0]!.received.filter(({ kind }) => kind === "acquire").length;

describe("a re-entrant coordinator", () => {
  test("runs an inner body under the lock that its caller holds, however deep", async () => {
    const { nodes, redlock } = open();
    const locks: Lock[] = [];
    const result = await redlock.using("orders", 1000, (_, outer) =>
      redlock.using("orders", 500, (_signal, middle) =>
        redlock.using(["orders"], 500, (signal, inner) => {
          locks.push(outer, middle, inner);
          return signal === outer.signal ? "one signal" : "another";
        }),
      ),
    );
    expect(result).toBe("one signal");
    expect(new Set(locks).size).toBe(1);
    expect(acquiresOf(nodes)).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("part of what is held can be entered; what is held in part cannot be locked again", async () => {
    const { redlock } = open();
    await redlock.using(["a", "b"], 1000, async () => {
      expect(await redlock.using("b", 1000, () => "entered")).toBe("entered");
      const partly = await caught(redlock.using(["b", "c"], 1000, () => "never"));
      expect(partly).toMatchObject({ code: "misuse" });
      expect(partly.message).toContain('"b, c" cannot be locked by the body that holds "a, b"');
      expect(await redlock.using("c", 1000, () => "free")).toBe("free");
    });
  });

  test("acquire and tryAcquire within the body are misuse at once, and send nothing", async () => {
    const { nodes, redlock } = open();
    await redlock.using("orders", 1000, async () => {
      const refused = await caught(redlock.acquire("orders", 1000, { waitMs: 60_000 }));
      expect(refused.code).toBe("misuse");
      expect((await caught(redlock.tryAcquire("orders", 1000))).code).toBe("misuse");
    });
    expect(acquiresOf(nodes)).toBe(1);
  });

  test("the lock is given back when the last of its bodies has ended, also one that nobody waits for", async () => {
    const { nodes, redlock } = open();
    const signals: AbortSignal[] = [];
    const using = redlock.using("orders", 1000, (signal) => {
      signals.push(signal);
      void redlock.using("orders", 1000, () => sleep(5000));
    });
    await vi.advanceTimersByTimeAsync(4999);
    expect(nodes[0]!.keys.size).toBe(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(2);
    await using;
    await vi.advanceTimersByTimeAsync(1);
    expect(nodes[0]!.keys.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("other contexts stand in line, and so does whoever was started inside and comes after the end", async () => {
    const { nodes, redlock } = open();
    let late: Promise<string> | undefined;
    await redlock.using("orders", 1000, async () => {
      late = sleep(100).then(() => redlock.using("orders", 1000, (_, lock) => lock.value));
      await Promise.resolve();
    });
    const holder = await redlock.acquire("orders", 1000);
    const outside = caught(redlock.using("orders", 1000, () => "never"));
    expect((await outside).code).toBe("contended");
    await holder.release();
    await vi.advanceTimersByTimeAsync(101);
    expect(await late).not.toBe(holder.value);
    expect(acquiresOf(nodes)).toBe(3);
  });

  test("an inner body does not run once the lock is lost, or its caller's signal has aborted", async () => {
    const { nodes, redlock } = open();
    const body = vi.fn();
    await redlock.using("orders", 1000, { failIfLost: false }, async (signal) => {
      const aborted = caught(redlock.using("orders", 1000, { signal: AbortSignal.abort() }, body));
      expect((await aborted).code).toBe("aborted");
      for (const { keys } of nodes) keys.set("orders", "somebody else");
      await vi.advanceTimersByTimeAsync(400);
      expect(signal.aborted).toBe(true);
      expect((await caught(redlock.using("orders", 1000, body))).code).toBe("contended");
    });
    expect(body).not.toHaveBeenCalled();
  });

  test("who wants a fencing token inside has to ask for one outside", async () => {
    const { redlock } = open();
    const fencing = { next: () => Promise.resolve(7n) };
    await redlock.using("orders", 1000, async () => {
      const inner = redlock.using("orders", 1000, { fencing }, () => "never");
      expect((await caught(inner)).message).toContain("give fencing to the outer using");
    });
    await redlock.using("orders", 1000, { fencing }, async () => {
      expect(await redlock.using("orders", 1000, { fencing }, (_, lock) => lock.fencingToken)).toBe(7n);
    });
  });

  test("is one only where that was asked for", async () => {
    const redlock = new Redlock(fakeNodes());
    await redlock.using("orders", 1000, async () => {
      expect((await caught(redlock.using("orders", 1000, () => "never"))).code).toBe("contended");
    });
    expect(() => new Redlock(fakeNodes(), { reentrant: 1 as never })).toThrow(
      "reentrant must be true or false",
    );
  });
});
