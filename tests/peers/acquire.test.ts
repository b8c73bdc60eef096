/** Public reports about acquiring, on nodes in memory. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeNodes } from "../../src/fake-node.fixture.ts";
import { type AcquireOptions, type LockNode, Redlock, RedlockError } from "../../src/index.ts";
import { codeOf } from "./cluster.fixture.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("validity", () => {
  test("peers 1, 2: after many attempts the lock has its whole validity, and can be extended", async () => {
    const redlock = new Redlock(fakeNodes());
    const first = await redlock.acquire("orders", 1000);
    const waiting = redlock.acquire("orders", 1000, { waitMs: 10_000 });
    await vi.advanceTimersByTimeAsync(3000);
    await first.release();
    await vi.advanceTimersByTimeAsync(200);
    const second = await waiting;
    expect(second.remainingMs()).toBeGreaterThan(988 - 200);
    await second.extend(1000);
    expect(second.remainingMs()).toBe(988);
  });
});

describe("quorum", () => {
  test("peers 11: two clients that each see other nodes do not each count a quorum of their own", async () => {
    const nodes = fakeNodes(5);
    const seesOnly = (names: string): LockNode[] =>
      nodes.map((node) => ({
        name: node.name,
        send: (command, untilMs, settle) => {
          if (names.includes(node.name)) node.send(command, untilMs, settle);
          else queueMicrotask(() => settle({ kind: "unknown", cause: "cut off", mayHaveRun: false }));
        },
        close: () => Promise.resolve(),
      }));
    expect(await codeOf(new Redlock(seesOnly("AB")).acquire("orders", 1000))).toBe("unavailable");
    expect(await codeOf(new Redlock(seesOnly("DE")).acquire("orders", 1000))).toBe("unavailable");
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "peers 16: with %i nodes one of eight contenders holds at a time, and all come through",
    async (nodeCount) => {
      const nodes = fakeNodes(nodeCount);
      let holderCount = 0;
      let doneCount = 0;
      const contend = async (): Promise<void> => {
        const redlock = new Redlock(nodes);
        const lock = await redlock.acquire("orders", 1000, { waitMs: 60_000 });
        holderCount += 1;
        expect(holderCount).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        holderCount -= 1;
        await lock.release();
        doneCount += 1;
      };
      for (let count = 0; count < 8; count++) void contend();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(doneCount).toBe(8);
    },
  );

  test("peers E25: eight contenders on three nodes are not slowed down by what they undo", async () => {
    const nodes = fakeNodes(3);
    let acquiredCount = 0;
    const contend = async (redlock: Redlock): Promise<void> => {
      for (let round = 0; round < 1000; round++) {
        const lock = await redlock.acquire("orders", 1000, { waitMs: 60_000 });
        acquiredCount += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        await lock.release();
      }
    };
    for (let count = 0; count < 8; count++) void contend(new Redlock(nodes));
    await vi.advanceTimersByTimeAsync(3000);
    // The best of the peers came to 224 in three seconds, those that block themselves to 14.
    expect(acquiredCount).toBeGreaterThan(224);
  });
});

describe("waiting", () => {
  test.each([0, 1])("peers 19: a waitMs of %i is taken as it is, not as a default", async (waitMs) => {
    const nodes = fakeNodes();
    await new Redlock(nodes).acquire("orders", 30_000);
    const failing = codeOf(new Redlock(nodes).acquire("orders", 1000, { waitMs }));
    await vi.advanceTimersByTimeAsync(2);
    expect(await failing).toBe("contended");
    const acquires = nodes[0]?.received.filter(({ kind }) => kind === "acquire").length;
    expect(acquires).toBe(waitMs === 0 ? 2 : 3);
  });

  test("peers 19: waiting for ever is refused in one sentence: every wait has a bound", async () => {
    const acquiring = new Redlock(fakeNodes()).acquire("orders", 1000, { waitMs: Infinity });
    await expect(acquiring).rejects.toThrow("waitMs must be a number of milliseconds");
  });

  test("peers 25: a key that stays hot is asked for a few times a second, not in a storm", async () => {
    const nodes = fakeNodes();
    await new Redlock(nodes, { restartGuard: "off" }).acquire("orders", 1e9);
    const rival = new Redlock(nodes, { restartGuard: "off" });
    const failing = codeOf(rival.acquire("orders", 1000, { waitMs: 60_000 }));
    await vi.advanceTimersByTimeAsync(60_001);
    await failing;
    const acquires = nodes[0]?.received.filter(({ kind }) => kind === "acquire").length ?? 0;
    // 200 ms is the cap and 100 the mean: some ten in a second.
    expect(acquires / 60).toBeLessThan(15);
  });
});

describe("every verb", () => {
  const verbs: Record<string, (redlock: Redlock, options: AcquireOptions) => Promise<unknown>> = {
    acquire: (redlock, options) => redlock.acquire("orders", 1000, options),
    tryAcquire: (redlock, { signal }) => redlock.tryAcquire("orders", 1000, { ...(signal && { signal }) }),
    using: (redlock, options) => redlock.using("orders", 1000, options, () => "done"),
  };

  test.each(["acquire", "using"])("peers 24: %s waits for as long as it is told to", async (verb) => {
    const nodes = fakeNodes();
    const held = await new Redlock(nodes).acquire("orders", 30_000);
    const waiting = verbs[verb]?.(new Redlock(nodes), { waitMs: 1000 });
    await vi.advanceTimersByTimeAsync(500);
    await held.release();
    await vi.advanceTimersByTimeAsync(300);
    await expect(waiting).resolves.toBeDefined();
  });

  test.each(Object.keys(verbs))("peers 24: %s takes a signal", async (verb) => {
    const aborted = verbs[verb]?.(new Redlock(fakeNodes()), { signal: AbortSignal.abort() });
    expect(await codeOf(aborted ?? Promise.resolve())).toBe("aborted");
  });

  test("peers 32: after a wait that was in vain the body has not run", async () => {
    const nodes = fakeNodes();
    await new Redlock(nodes).acquire("orders", 30_000);
    const body = vi.fn();
    const using = codeOf(new Redlock(nodes).using("orders", 1000, { waitMs: 500 }, body));
    await vi.advanceTimersByTimeAsync(600);
    expect(await using).toBe("contended");
    expect(body).not.toHaveBeenCalled();
  });
});

describe("arguments", () => {
  test("peers 18: a string is one resource, not a list of its letters", async () => {
    const nodes = fakeNodes();
    await new Redlock(nodes).acquire("orders", 1000);
    expect([...(nodes[0]?.keys.keys() ?? [])]).toEqual(["orders"]);
  });

  test.each([0, -1, 1.5, Number.NaN, Infinity, "1000"])(
    "peers N16: a TTL of %s is misuse, and no node is asked",
    async (ttlMs) => {
      const nodes = fakeNodes();
      expect(await codeOf(new Redlock(nodes).acquire("orders", ttlMs as number))).toBe("misuse");
      expect(nodes.flatMap(({ received }) => received)).toEqual([]);
    },
  );

  test("peers N16: with a TTL below the node timeout silent nodes are heard until its deadline only", async () => {
    const nodes = fakeNodes();
    for (const node of nodes) node.mode = "silent";
    const failing = codeOf(new Redlock(nodes, { nodeTimeoutMs: 500 }).acquire("orders", 100));
    await vi.advanceTimersByTimeAsync(100);
    expect(await failing).toBe("unavailable");
  });
});

describe("errors", () => {
  test("peers 5, 68: the error names the resource, the attempts and who said what", async () => {
    const nodes = fakeNodes(3);
    await new Redlock(nodes).acquire("orders", 30_000);
    if (nodes[2] !== undefined) nodes[2].mode = "away";
    const redlock = new Redlock(nodes);
    const error = await redlock.acquire("orders", 1000).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RedlockError);
    expect(error).toMatchObject({ code: "contended", resource: "orders", attemptCount: 1 });
    expect((error as RedlockError).message).toBe(
      '"orders" was not acquired: somebody else holds it (A held, B held, C unknown: away)',
    );
  });
});

describe("a lock library in one's own tests", () => {
  test("peers 72: a node is a small port: nodes in memory need no server and no mock of the library", async () => {
    const nodes: readonly LockNode[] = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    expect((await lock.release()).kind).toBe("released");
  });

  test("peers 82: two thousand locks that are held at once are all released by their handles", async () => {
    const nodes = fakeNodes(3);
    const redlock = new Redlock(nodes);
    const locks = await Promise.all(
      Array.from({ length: 2000 }, (_, index) => redlock.acquire(`orders-${String(index)}`, 30_000)),
    );
    const releases = await Promise.all(locks.map((lock) => lock.release()));
    expect(releases.filter(({ kind }) => kind === "released")).toHaveLength(2000);
    await vi.advanceTimersByTimeAsync(1);
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0]);
  });
});
