import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { caught } from "./caught.fixture.ts";
import { fakeNodes } from "./fake-node.fixture.ts";
import { Redlock } from "./redlock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "hrtime"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("acquire", () => {
  test("it resolves to a lock that knows its validity and each node's vote", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    expect(lock.remainingMs()).toBe(988);
    expect(nodes.every(({ keys }) => keys.get("orders") === lock.value)).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(lock.votes.map(({ node, kind }) => `${node} ${kind}`)).toEqual([
      "A granted",
      "B granted",
      "C granted",
      "D granted",
      "E granted",
    ]);
  });

  test("contention, outage and misuse are different errors, each with the votes (peers 5, 67, 68, N6)", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    await redlock.acquire("orders", 1000);
    const contended = await caught(new Redlock(nodes).acquire("orders", 1000));
    expect(contended).toMatchObject({ name: "RedlockError", code: "contended", resource: "orders" });
    expect(contended.votes).toHaveLength(5);

    for (const node of nodes.slice(0, 3)) node.mode = "away";
    const unavailable = await caught(redlock.acquire("invoices", 1000));
    expect(unavailable).toMatchObject({ code: "unavailable" });
    expect(unavailable.message).toContain("A unknown: away");
  });

  test("a silent majority ends within one node timeout, and leaves nothing behind", async () => {
    const nodes = fakeNodes();
    for (const node of nodes.slice(0, 3)) node.mode = "silent";
    const failing = caught(new Redlock(nodes, { nodeTimeoutMs: 50 }).acquire("orders", 1000));
    await vi.advanceTimersByTimeAsync(51);
    expect((await failing).code).toBe("unavailable");
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("waitMs tries again until the holder lets go", async () => {
    const redlock = new Redlock(fakeNodes());
    const first = await redlock.acquire("orders", 1000);
    const second = redlock.acquire("orders", 1000, { waitMs: 5000 });
    await vi.advanceTimersByTimeAsync(300);
    await first.release();
    await vi.advanceTimersByTimeAsync(300);
    expect((await second).value).not.toBe(first.value);
  });

  test("a fencing token is drawn for the resource", async () => {
    const drawnFor: string[] = [];
    const fencing = {
      next: (resource: string): Promise<bigint> => {
        drawnFor.push(resource);
        return Promise.resolve(2n ** 60n);
      },
    };
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000, { fencing });
    expect(lock.fencingToken).toBe(2n ** 60n);
    expect(drawnFor).toEqual(["orders"]);
  });

  test.each([
    ["rejects", (): Promise<bigint> => Promise.reject(new Error("down"))],
    [
      "throws",
      (): Promise<bigint> => {
        throw new Error("down");
      },
    ],
    ["gives a number", (): Promise<bigint> => Promise.resolve(7 as unknown as bigint)],
  ])("a token source that %s fails the acquire and leaves no key", async (_name, next) => {
    const nodes = fakeNodes();
    const error = await caught(new Redlock(nodes).acquire("orders", 1000, { fencing: { next } }));
    expect(error.code).toBe("unavailable");
    expect(error.message).toContain("the token source gave no token (");
    expect(error.cause).toBeInstanceOf(Error);
    await vi.advanceTimersByTimeAsync(1);
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("close ends an acquire that waits, and takes back what it had sent (peers 21, 51)", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    for (const node of nodes.slice(0, 3)) node.mode = "silent";
    const waiting = caught(redlock.acquire("orders", 1000, { waitMs: 60_000 }));
    await vi.advanceTimersByTimeAsync(20);
    await redlock.close();
    expect((await waiting).code).toBe("aborted");
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("close ends an extension that waits, and lets a release come to its end (peers 35)", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const lock = await redlock.acquire("orders", 1000);
    const other = await redlock.acquire("invoices", 1000);
    for (const node of nodes) node.mode = "silent";
    const extending = caught(lock.extend(1000));
    const releasing = other.release();
    await redlock.close();
    expect((await extending).code).toBe("aborted");
    await vi.advanceTimersByTimeAsync(51);
    expect((await releasing).kind).toBe("unconfirmed");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("nodes are closed where the options are refused: nobody else might be able to", () => {
    const nodes = fakeNodes();
    expect(() => new Redlock(nodes, { quorum: 0 })).toThrow("quorum must be");
    expect(nodes.every(({ isClosed }) => isClosed)).toBe(true);
  });

  test("what the constructor and the verbs do not know is misuse", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const unknown = { wait: 5 } as object;
    expect(() => new Redlock(fakeNodes(), { restartGaurd: "off" } as object)).toThrow(
      "a Redlock has no option restartGaurd: it takes quorum, ",
    );
    expect((await caught(redlock.acquire("orders", 1000, unknown))).message).toBe(
      "acquire has no option wait: it takes waitMs, fencing, signal",
    );
    expect((await caught(redlock.using("orders", 1000, unknown, () => 1))).message).toContain(
      "using has no option wait",
    );
    expect(nodes.every(({ received }) => received.length === 0)).toBe(true);
  });

  test("options behind the body of using, and an observer that is no function, are misuse", async () => {
    const redlock = new Redlock(fakeNodes());
    const body = () => 1;
    const swapped = redlock.using("orders", 1000, body as object, { waitMs: 3 } as unknown as () => number);
    expect((await caught(swapped)).message).toContain("using takes a function as its last argument");
    expect(() => redlock.observe("x" as unknown as () => void)).toThrow('not the string "x"');
  });

  test("a closed coordinator acquires nothing", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    await redlock.close();
    expect((await caught(redlock.acquire("orders", 1000))).code).toBe("aborted");
    expect(nodes.every(({ isClosed }) => isClosed)).toBe(true);
  });
});

describe("acquire with a signal", () => {
  test("an abort ends the waiting, and what was sent is taken back", async () => {
    const nodes = fakeNodes();
    for (const node of nodes.slice(0, 3)) node.mode = "silent";
    const aborter = new AbortController();
    const options = { waitMs: 60_000, signal: aborter.signal };
    const waiting = caught(new Redlock(nodes).acquire("orders", 1000, options));
    await vi.advanceTimersByTimeAsync(20);
    expect(nodes[0]!.keys.size).toBe(1);
    aborter.abort(new Error("the request was cancelled"));
    expect(await waiting).toMatchObject({
      code: "aborted",
      resource: "orders",
      cause: aborter.signal.reason,
    });
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("an abort between two attempts ends it at once, and no timer or listener is left", async () => {
    const redlock = new Redlock(fakeNodes());
    await redlock.acquire("orders", 1000);
    const aborter = new AbortController();
    const removed = vi.spyOn(aborter.signal, "removeEventListener");
    const waiting = caught(redlock.acquire("orders", 1000, { waitMs: 60_000, signal: aborter.signal }));
    await vi.advanceTimersByTimeAsync(100);
    aborter.abort();
    expect((await waiting).code).toBe("aborted");
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  test("a signal that has aborted before sends nothing", async () => {
    const nodes = fakeNodes();
    const acquire = new Redlock(nodes).acquire("orders", 1000, { signal: AbortSignal.abort() });
    expect((await caught(acquire)).code).toBe("aborted");
    expect(nodes[0]!.received).toEqual([]);
  });

  test("an abort after the grant changes nothing", async () => {
    const aborter = new AbortController();
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000, { signal: aborter.signal });
    aborter.abort();
    expect(lock.remainingMs()).toBe(988);
  });

  test("what is no signal is misuse", async () => {
    const acquire = new Redlock(fakeNodes()).acquire("orders", 1000, { signal: {} as AbortSignal });
    expect((await caught(acquire)).code).toBe("misuse");
  });
});

describe("a hand-over within one process", () => {
  test("an abort in the middle of it takes both values back", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const held = await redlock.acquire("orders", 1000);
    const aborter = new AbortController();
    const waiting = caught(redlock.acquire("orders", 1000, { waitMs: 5000, signal: aborter.signal }));
    for (const node of nodes.slice(0, 3)) node.mode = "silent";
    const releasing = held.release();
    await vi.advanceTimersByTimeAsync(10);
    aborter.abort();
    expect((await waiting).code).toBe("aborted");
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
    await vi.advanceTimersByTimeAsync(50);
    expect((await releasing).kind).toBe("unconfirmed");
  });

  test("close in the middle of it takes both values back, and leaves no timer", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const held = await redlock.acquire("orders", 1000);
    const waiting = [1, 2, 3].map(() => caught(redlock.acquire("orders", 1000, { waitMs: 5000 })));
    for (const node of nodes.slice(0, 3)) node.mode = "silent";
    const releasing = held.release();
    await redlock.close();
    expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(["aborted", "aborted", "aborted"]);
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
    await vi.advanceTimersByTimeAsync(51);
    await releasing;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("several resources at once", () => {
  test("all are taken in one step of each node, and given back", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire(["b", "a", "b"], 1000);
    expect(lock.resources).toEqual(["a", "b"]);
    expect(nodes[0]!.received).toHaveLength(1);
    expect([...nodes[0]!.keys]).toEqual([
      ["a", lock.value],
      ["b", lock.value],
    ]);
    await lock.extend(1000);
    expect((await lock.release()).kind).toBe("released");
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("where one of them is held none is taken, and the error names them", async () => {
    const nodes = fakeNodes();
    await new Redlock(nodes).acquire("b", 1000);
    const error = await caught(new Redlock(nodes).acquire(["a", "b"], 1000));
    expect(error).toMatchObject({ code: "contended", resource: "a, b" });
    expect(nodes[0]!.keys.has("a")).toBe(false);
  });

  test("the loss of one is the loss of all", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire(["a", "b"], 1000);
    for (const { keys } of nodes.slice(0, 3)) keys.delete("b");
    expect((await caught(lock.extend(1000))).code).toBe("lost");
    await lock.release();
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("a string is one resource, and callers with common resources wait for each other in their order", async () => {
    const redlock = new Redlock(fakeNodes());
    const first = await redlock.acquire("a", 1000);
    const order: string[] = [];
    const note = (name: string) => async (): Promise<void> => {
      order.push(name);
      await Promise.resolve();
    };
    const options = { waitMs: 5000 };
    const calls = [
      redlock.using(["a", "b"], 1000, options, note("both")),
      redlock.using("b", 1000, options, note("b")),
      redlock.using("c", 1000, options, note("c")),
    ];
    await vi.advanceTimersByTimeAsync(10);
    expect(order).toEqual(["c"]);
    await first.release();
    await vi.advanceTimersByTimeAsync(500);
    await Promise.all(calls);
    expect(order).toEqual(["c", "both", "b"]);
  });

  test("each resource has a fencing token of its own", async () => {
    const fencing = { next: (resource: string) => Promise.resolve(resource === "a" ? 7n : 9n) };
    const lock = await new Redlock(fakeNodes()).acquire(["a", "b"], 1000, { fencing });
    expect([...lock.fencingTokens]).toEqual([
      ["a", 7n],
      ["b", 9n],
    ]);
    expect(lock.fencingToken).toBe(7n);
  });
});

describe("tryAcquire", () => {
  test("resolves to the lock, or to nothing where somebody else holds it", async () => {
    const redlock = new Redlock(fakeNodes());
    const lock = await redlock.tryAcquire("orders", 1000);
    expect(lock?.remainingMs()).toBe(988);
    expect(await redlock.tryAcquire("orders", 1000)).toBeUndefined();
  });

  test("an outage is an error and not an answer", async () => {
    const nodes = fakeNodes();
    for (const node of nodes.slice(0, 3)) node.mode = "away";
    expect((await caught(new Redlock(nodes).tryAcquire("orders", 1000))).code).toBe("unavailable");
  });
});

describe("Lock", () => {
  test("extend resolves to the same lock with its deadline moved and its votes renewed", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(500);
    expect(lock.remainingMs()).toBe(488);
    for (const { keys } of nodes.slice(3)) keys.clear();
    expect(await lock.extend(2000)).toBe(lock);
    await vi.advanceTimersByTimeAsync(0);
    expect(lock.votes.map(({ kind }) => kind)).toEqual([
      "granted",
      "granted",
      "granted",
      "refused",
      "refused",
    ]);
    expect(lock.remainingMs()).toBe(1978);
  });

  test("release gives one outcome however often it is called, and the lock is over at once", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    const releases = [lock.release(), lock.release()];
    expect(lock.remainingMs()).toBe(0);
    expect((await Promise.all(releases)).map(({ kind }) => kind)).toEqual(["released", "released"]);
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });

  test("releasing what has expired is an outcome, not an exception (peers 26, 30)", async () => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(989);
    expect(lock.remainingMs()).toBe(0);
    expect((await lock.release()).kind).toBe("expired");
  });

  test("a release that a majority does not answer is unconfirmed after one node timeout (peers 38)", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    for (const node of nodes.slice(0, 3)) node.mode = "silent";
    const release = lock.release();
    await vi.advanceTimersByTimeAsync(51);
    expect((await release).kind).toBe("unconfirmed");
  });

  test("extending what is over throws, each with its own code (peers 29, 41)", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const lost = await redlock.acquire("lost", 1000);
    for (const { keys } of nodes) keys.delete("lost");
    expect((await caught(lost.extend(1000))).code).toBe("lost");
    expect(lost.remainingMs()).toBe(0);

    const released = await redlock.acquire("released", 1000);
    await released.release();
    expect((await caught(released.extend(1000))).code).toBe("aborted");

    const expired = await redlock.acquire("expired", 1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await caught(expired.extend(1000))).code).toBe("expired");
  });

  test("await using releases at the end of the block", async () => {
    const nodes = fakeNodes();
    {
      await using lock = await new Redlock(nodes).acquire("orders", 1000);
      expect(lock.remainingMs()).toBeGreaterThan(0);
    }
    expect(nodes.map(({ keys }) => keys.size)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("lock.signal", () => {
  test("it aborts at the deadline by a timer, whatever the nodes do (peers 76, N3)", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    for (const node of nodes) node.mode = "silent";
    const { signal } = lock;
    await vi.advanceTimersByTimeAsync(987);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ code: "expired" });
  });

  test("an extension moves it", async () => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    const { signal } = lock;
    await vi.advanceTimersByTimeAsync(900);
    await lock.extend(1000);
    await vi.advanceTimersByTimeAsync(900);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(signal.aborted).toBe(true);
  });

  test("it aborts at once when the lock is lost", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    const { signal } = lock;
    for (const { keys } of nodes.slice(0, 3)) keys.set("orders", "other");
    await caught(lock.extend(1000));
    expect(signal.reason).toMatchObject({ code: "lost" });
  });

  test("at release it has fired before the first delete leaves, and no timer is left", async () => {
    const nodes = fakeNodes();
    const lock = await new Redlock(nodes).acquire("orders", 1000);
    const { signal } = lock;
    let deletesSentAtAbort = -1;
    signal.addEventListener("abort", () => {
      deletesSentAtAbort = nodes.filter(({ received }) =>
        received.some(({ kind }) => kind === "delete"),
      ).length;
    });
    await lock.release();
    expect(deletesSentAtAbort).toBe(0);
    expect(signal.reason).toMatchObject({ code: "aborted" });
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("its timer keeps no process alive", async () => {
    const made = vi.spyOn(globalThis, "setTimeout");
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    made.mockClear();
    expect(lock.signal.aborted).toBe(false);
    expect(made.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
    made.mockRestore();
  });

  test("asked for after the end it is aborted already", async () => {
    const lock = await new Redlock(fakeNodes()).acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(lock.signal.aborted).toBe(true);
  });

  test("nobody asks for it: no timer stands while the lock is held (peers 3)", async () => {
    await new Redlock(fakeNodes()).acquire("orders", 1000);
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a TTL beyond the longest timer does not abort early", async () => {
    const lock = await new Redlock(fakeNodes(), { restartGuard: "off" }).acquire("orders", 1e11);
    const { signal } = lock;
    await vi.advanceTimersByTimeAsync(2 ** 31 + 5);
    expect(signal.aborted).toBe(false);
    await lock.release();
  });
});

describe("the restart guard", () => {
  test("nodes that may have forgotten are named with what is left, and waited for", async () => {
    const nodes = fakeNodes();
    for (const node of nodes.slice(0, 3)) node.quarantinedForMs = 400;
    const redlock = new Redlock(nodes);
    const refused = await caught(redlock.acquire("orders", 1000));
    expect(refused.code).toBe("unavailable");
    expect(refused.message).toContain("A quarantined, 400 ms left");

    const waiting = redlock.acquire("orders", 1000, { waitMs: 5000 });
    await vi.advanceTimersByTimeAsync(300);
    for (const node of nodes) node.quarantinedForMs = undefined;
    await vi.advanceTimersByTimeAsync(400);
    expect((await waiting).resource).toBe("orders");
  });

  test("a first use is trusted once, before the first attempt", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes, { restartGuard: { firstUse: "trust" } });
    await redlock.acquire("orders", 1000);
    await redlock.acquire("invoices", 1000);
    expect(nodes.every(({ isGuarded }) => isGuarded)).toBe(true);
    const kinds = nodes[0]?.received.map(({ kind }) => kind);
    expect(kinds).toEqual(["survey", "trust", "acquire", "acquire"]);
  });

  test("close ends the survey of a first use", async () => {
    const nodes = fakeNodes();
    for (const node of nodes) node.mode = "silent";
    const redlock = new Redlock(nodes, { restartGuard: { firstUse: "trust" } });
    const failing = caught(redlock.acquire("orders", 1000));
    await redlock.close();
    expect((await failing).code).toBe("aborted");
  });
});

describe("deletes that nobody answers", () => {
  test("on a node that is away the delete is repeated until it is confirmed", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes, { longestDelayMs: 1000 });
    const lock = await redlock.acquire("orders", 1000);
    nodes[0]!.mode = "away";
    await lock.release();
    expect(nodes[0]!.keys.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    nodes[0]!.mode = "prompt";
    await vi.advanceTimersByTimeAsync(500);
    expect(nodes[0]!.keys.size).toBe(0);
    expect(redlock.orphanCount).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("they are given up when the key cannot live any more, and counted", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes, { longestDelayMs: 1000 });
    const lock = await redlock.acquire("orders", 1000);
    nodes[0]!.mode = "away";
    nodes[1]!.mode = "silent";
    await lock.release();
    await vi.advanceTimersByTimeAsync(3000);
    expect(redlock.orphanCount).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("an extension to a longer TTL lengthens the time for which they are repeated", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes, { longestDelayMs: 1000 });
    const lock = await redlock.acquire("orders", 1000);
    await lock.extend(20_000);
    nodes[0]!.mode = "away";
    await lock.release();
    await vi.advanceTimersByTimeAsync(15_000);
    nodes[0]!.mode = "prompt";
    await vi.advanceTimersByTimeAsync(4000);
    expect(nodes[0]!.keys.size).toBe(0);
    expect(redlock.orphanCount).toBe(0);
  });

  test("close counts each node that has not confirmed", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const lock = await redlock.acquire("orders", 1000);
    for (const node of nodes) node.mode = "silent";
    const release = lock.release();
    await vi.advanceTimersByTimeAsync(60);
    expect((await release).kind).toBe("unconfirmed");
    await redlock.close();
    expect(redlock.orphanCount).toBe(5);
  });

  test("close leaves no timer of them", async () => {
    const nodes = fakeNodes();
    const redlock = new Redlock(nodes);
    const lock = await redlock.acquire("orders", 1000);
    nodes[0]!.mode = "away";
    await lock.release();
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await redlock.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(redlock.orphanCount).toBe(1);
  });
});
