/** Public reports about extending, losing and releasing, on nodes in memory. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type FakeNode, fakeNodes } from "../../src/fake-node.fixture.ts";
import { type Lock, Redlock } from "../../src/index.ts";
import { codeOf } from "./cluster.fixture.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function held(ttlMs = 1000): Promise<{ lock: Lock; nodes: FakeNode[]; redlock: Redlock }> {
  const nodes = fakeNodes();
  const redlock = new Redlock(nodes);
  return { lock: await redlock.acquire("orders", ttlMs), nodes, redlock };
}

const nowMs = () => Number(process.hrtime.bigint() / 1_000_000n);

const sent = (nodes: readonly FakeNode[], kind: string) =>
  nodes.flatMap(({ received }) => received).filter((command) => command.kind === kind);

/** Whatever is rejected and looked at by nobody while `body` runs. */
async function unhandledIn(body: () => Promise<void>): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const onRejection = (reason: unknown) => reasons.push(reason);
  process.on("unhandledRejection", onRejection);
  await body();
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", onRejection);
  return reasons;
}

describe("loss", () => {
  test("peers 40: a lock that is lost, and one that expires, leave no unhandled rejection", async () => {
    const reasons = await unhandledIn(async () => {
      const { lock, nodes, redlock } = await held();
      const other = await redlock.acquire("invoices", 100);
      expect([lock.signal.aborted, other.signal.aborted]).toEqual([false, false]);
      for (const { keys } of nodes) keys.delete("orders");
      expect(await codeOf(lock.extend(1000))).toBe("lost");
      await vi.advanceTimersByTimeAsync(200);
      expect([lock.signal.aborted, other.signal.aborted]).toEqual([true, true]);
    });
    expect(reasons).toEqual([]);
  });

  test("peers 43, 44: a lock whose keys have lapsed is lost; extending it takes nothing again", async () => {
    const { lock, nodes } = await held();
    for (const { keys } of nodes.slice(0, 3)) keys.clear();
    expect(await codeOf(lock.extend(1000))).toBe("lost");
    await vi.advanceTimersByTimeAsync(1);
    expect(nodes.slice(0, 3).map(({ keys }) => keys.size)).toEqual([0, 0, 0]);
  });

  test("peers 42: a failed extension leaves lock and keys as they are until the deadline", async () => {
    const { lock, nodes } = await held();
    for (const node of nodes.slice(0, 3)) node.mode = "away";
    const extending = codeOf(lock.extend(1000));
    await vi.advanceTimersByTimeAsync(500);
    expect(lock.remainingMs()).toBe(488);
    expect(sent(nodes, "delete")).toEqual([]);
    await vi.advanceTimersByTimeAsync(488);
    expect(await extending).toBe("expired");
  });

  test("peers 48: without a wish for it nothing renews a lock", async () => {
    const { nodes } = await held();
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent(nodes, "extend")).toEqual([]);
  });
});

describe("renewal", () => {
  test("peers 49: a thousand locks that are kept alive stay held, and nobody is delayed by them", async () => {
    const { nodes, redlock } = await held();
    const acquiring = Array.from({ length: 1000 }, (_, index) => redlock.acquire(`o-${String(index)}`, 1000));
    const locks = await Promise.all(acquiring);
    for (const lock of locks) lock.keepAlive();
    await vi.advanceTimersByTimeAsync(3000);
    expect(Math.min(...locks.map((lock) => lock.remainingMs()))).toBeGreaterThan(600);
    expect((await redlock.acquire("invoices", 1000)).remainingMs()).toBe(988);
    expect(sent(nodes, "extend").length / locks.length / nodes.length).toBeLessThan(12);
  });
});

describe("using", () => {
  test("peers 28: after a loss it is back within one node timeout, with the body's own error", async () => {
    const { nodes, redlock } = await held();
    const bodyError = new Error("the body stopped");
    let endedAfterMs: number | undefined;
    const startedAtMs = nowMs();
    const using = redlock.using("invoices", 1000, async (signal) => {
      for (const node of nodes) node.mode = "silent";
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      throw bodyError;
    });
    const failing = using.catch((thrown: unknown) => {
      endedAfterMs = nowMs() - startedAtMs;
      return thrown;
    });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await failing).toBe(bodyError);
    expect(bodyError.cause).toMatchObject({ code: "expired" });
    expect(endedAfterMs).toBeLessThanOrEqual(988 + 51);
  });
});

describe("release", () => {
  test("peers 27, 38: with nobody answering it comes back after one node timeout, and nothing is retried", async () => {
    const { lock, nodes } = await held();
    for (const node of nodes) node.mode = "silent";
    const releasing = lock.release();
    await vi.advanceTimersByTimeAsync(51);
    expect((await releasing).kind).toBe("unconfirmed");
    expect(sent(nodes, "delete")).toHaveLength(5);
  });

  test("peers 33: an expired lock keeps nobody out, in this process neither, though nobody released it", async () => {
    const { lock, nodes, redlock } = await held(100);
    await vi.advanceTimersByTimeAsync(100);
    for (const { keys } of nodes) keys.clear();
    const next = await redlock.acquire("orders", 100);
    expect([lock.remainingMs(), next.remainingMs()]).toEqual([0, 97]);
  });

  test("peers 39: a value that has become somebody else's is not deleted", async () => {
    const { lock, nodes } = await held();
    for (const { keys } of nodes) keys.set("orders", "somebody-else");
    await lock.release();
    expect(nodes.map(({ keys }) => keys.get("orders"))).toEqual(Array(5).fill("somebody-else"));
  });

  test("peers 80, N14: at the end of its block a lock never hides what the body threw", async () => {
    const { nodes, redlock } = await held();
    const work = async (): Promise<void> => {
      await using lock = await redlock.acquire("invoices", 1000);
      for (const node of nodes) node.mode = "away";
      throw new Error(`the body's own fault under ${lock.resource}`);
    };
    const failing = work().catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(60);
    expect(await failing).toEqual(new Error("the body's own fault under invoices"));
  });
});

test("peers N12: acquire, extension and release each have a limit of their own", async () => {
  const nodes = fakeNodes();
  const redlock = new Redlock(nodes);
  const lock = await redlock.acquire("orders", 1000);
  for (const node of nodes) node.mode = "silent";
  const endedAtMs: Record<string, number> = {};
  const startedAtMs = nowMs();
  const note = (what: string) => () => {
    endedAtMs[what] = nowMs() - startedAtMs;
  };
  void redlock.acquire("invoices", 30_000, { waitMs: 200 }).catch(note("acquire"));
  void lock.extend(30_000).catch(note("extension"));
  await vi.advanceTimersByTimeAsync(990);
  void lock.release().then(note("release"));
  await vi.advanceTimersByTimeAsync(60);
  expect(endedAtMs["acquire"]).toBeLessThanOrEqual(200 + 51);
  expect(endedAtMs["extension"]).toBeCloseTo(988, -1);
  expect(endedAtMs["release"]).toBeLessThanOrEqual(990 + 51);
});
