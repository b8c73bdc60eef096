import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RedlockEvent } from "./events.ts";
import { fakeNodes } from "./fake-node.fixture.ts";
import type { NodeEvent } from "./ports/node-event.ts";
import { Redlock } from "./redlock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function watched(options = {}) {
  const nodes = fakeNodes();
  const redlock = new Redlock(nodes, options);
  const events: RedlockEvent[] = [];
  const stop = redlock.observe((event) => events.push(event));
  return { nodes, redlock, events, stop };
}

const kinds = (events: readonly RedlockEvent[]) => events.map(({ kind }) => kind);

describe("redlock.observe", () => {
  test("a lock's life: started, acquired, extended, ended, released (peers 34, 70, N11)", async () => {
    const { redlock, events } = watched();
    const lock = await redlock.acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(400);
    await lock.extend(1000);
    await vi.advanceTimersByTimeAsync(300);
    await lock.release();
    const { value } = lock;
    expect(events).toMatchObject([
      { kind: "acquire-started", resource: "orders", ttlMs: 1000 },
      { kind: "acquired", resource: "orders", value, waitedMs: 0, attemptCount: 1, validityMs: 988 },
      { kind: "extended", resource: "orders", value, validityMs: 988 },
      { kind: "ended", value, ending: "released", heldMs: 700, validityLeftMs: 688, quorumMargin: 2 },
      { kind: "released", value, outcome: "released", tookMs: 0 },
    ]);
  });

  test("an acquire that waits says for how long and in how many attempts", async () => {
    const { redlock, events } = watched();
    const first = await redlock.acquire("orders", 1000);
    const second = redlock.acquire("orders", 1000, { waitMs: 5000 });
    await vi.advanceTimersByTimeAsync(300);
    await first.release();
    await vi.advanceTimersByTimeAsync(300);
    const won = events.findLast(({ kind }) => kind === "acquired");
    expect(won).toMatchObject({ value: (await second).value, attemptCount: expect.any(Number) });
    expect(won).toHaveProperty("waitedMs", expect.closeTo(400, -3));
  });

  test("a failed acquire is told with its code and every node's vote", async () => {
    const { nodes, redlock, events } = watched();
    for (const node of nodes.slice(0, 3)) node.mode = "away";
    await redlock.acquire("orders", 1000).catch(() => undefined);
    expect(events.at(-1)).toMatchObject({ kind: "acquire-failed", code: "unavailable", attemptCount: 1 });
    expect(events.at(-1)).toHaveProperty("votes.length", 5);
  });

  test("an acquire that is interrupted fails as aborted", async () => {
    const { nodes, redlock, events } = watched();
    for (const node of nodes) node.mode = "silent";
    const acquiring = redlock.acquire("orders", 1000).catch(() => undefined);
    await redlock.close();
    await acquiring;
    expect(events).toContainEqual(expect.objectContaining({ kind: "acquire-failed", code: "aborted" }));
  });

  test("a lost lock ends as lost, with the validity that it cost (peers 53)", async () => {
    const { nodes, redlock, events } = watched();
    const lock = await redlock.acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(100);
    for (const { keys } of nodes.slice(0, 3)) keys.clear();
    await lock.extend(1000).catch(() => undefined);
    expect(kinds(events).slice(2)).toEqual(["ended", "extend-failed"]);
    expect(events[2]).toMatchObject({ ending: "lost", validityLeftMs: 888 });
    expect(events[3]).toMatchObject({ code: "lost" });
  });

  test("a lock that nobody releases ends at its deadline, once", async () => {
    const { redlock, events } = watched();
    const lock = await redlock.acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(1000);
    await lock.release();
    expect(kinds(events).slice(2)).toEqual(["ended", "released"]);
    expect(events[2]).toMatchObject({ ending: "expired", validityLeftMs: 0 });
    expect(events[3]).toMatchObject({ outcome: "expired" });
  });

  test("orphans are told when they are given up", async () => {
    const { nodes, redlock, events } = watched({ longestDelayMs: 1000 });
    const lock = await redlock.acquire("orders", 1000);
    nodes[0]!.mode = "away";
    await lock.release();
    await vi.advanceTimersByTimeAsync(3000);
    expect(events.at(-1)).toEqual({ kind: "orphaned", count: 1 });
  });

  test("what a node tells of itself is passed on", () => {
    const tell: ((event: NodeEvent) => void)[] = [];
    const nodes = fakeNodes().map((node) =>
      Object.assign(node, { observe: (listener: (event: NodeEvent) => void) => tell.push(listener) }),
    );
    const events: RedlockEvent[] = [];
    new Redlock(nodes).observe((event) => events.push(event));
    tell[1]?.({ kind: "node-away", node: "B", cause: "ECONNREFUSED" });
    expect(events).toEqual([{ kind: "node-away", node: "B", cause: "ECONNREFUSED" }]);
  });

  test("an observer that throws changes nothing", async () => {
    const redlock = new Redlock(fakeNodes());
    redlock.observe(() => {
      throw new Error("the observer's own fault");
    });
    const lock = await redlock.acquire("orders", 1000);
    await lock.extend(1000);
    expect((await lock.release()).kind).toBe("released");
  });

  test("who has stopped is told nothing more", async () => {
    const { redlock, events, stop } = watched();
    stop();
    await redlock.acquire("orders", 1000);
    expect(events).toEqual([]);
  });

  test("nobody listens: no timer stands for a lock that is held", async () => {
    await new Redlock(fakeNodes()).acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
