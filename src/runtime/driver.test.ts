import { describe, expect, test } from "vitest";
import { Round } from "../core/round.ts";
import { detach, drawToken, now, receive, send, sleepUntil } from "../core/effects.ts";
import type { LockNode } from "../ports/node.ts";
import type { DetachedResult, Procedure } from "../ports/effect.ts";
import { GRANTED, type NodeReply } from "../ports/reply.ts";
import { Driver } from "./driver.ts";

/** A world whose time, timers and arrivals the test moves by hand. */
function handWorld() {
  let nowMs = 0;
  const timers = new Set<{
    readonly atMs: number;
    readonly callback: () => void;
    readonly keepAlive: boolean;
  }>();
  const afterArrivals: (() => void)[] = [];
  const settles: ((reply: NodeReply) => void)[] = [];
  const node: LockNode = {
    name: "A",
    send: (_command, _untilMs, settle) => {
      settles.push(settle);
    },
    close: () => Promise.resolve(),
  };
  const driver = new Driver({
    nodes: [node],
    clock: { nowMs: () => nowMs },
    timers: {
      after: (delayMs, callback, { keepAlive }) => {
        const timer = { atMs: nowMs + delayMs, callback, keepAlive };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    entropy: { value: () => "v1", fraction: () => 0 },
    afterArrivals: (callback) => afterArrivals.push(callback),
  });
  return {
    driver,
    timers,
    sentCount: () => settles.length,
    answer: (index: number) => settles[index]?.(GRANTED),
    /** Moves the clock and fires what is due, or what a coarse timer fires a little early. */
    pass: (toMs: number, earlyMs = 0) => {
      nowMs = toMs;
      for (const timer of [...timers]) {
        if (timer.atMs > toMs + earlyMs) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
    takeArrivals: () => {
      for (const callback of afterArrivals.splice(0)) callback();
    },
  };
}

const COMMAND = { kind: "delete", resource: "orders", value: "v1" } as const;

function* askOnce(round: Round, untilMs: number): Procedure<"reply" | "deadline"> {
  yield* send(round, 0, { command: COMMAND, untilMs });
  return yield* receive(round, untilMs);
}

describe("Driver", () => {
  test("a procedure that needs to wait for nothing has ended when run returns", async () => {
    const { driver } = handWorld();
    let ended = false;
    const result = driver.run(
      (function* (): Procedure<number> {
        const nowMs = yield* now();
        ended = true;
        return nowMs;
      })(),
    );
    expect(ended).toBe(true);
    expect(await result).toBe(0);
  });

  test("a reply resumes the round that waits for it, and no timer is left", async () => {
    const { driver, timers, answer } = handWorld();
    const result = driver.run(askOnce(new Round(["A"], 0), 50));
    answer(0);
    expect(await result).toBe("reply");
    expect(timers.size).toBe(0);
  });

  test("what has arrived when the timer comes due is read before the deadline is declared (S55)", async () => {
    const { driver, pass, answer, takeArrivals } = handWorld();
    const result = driver.run(askOnce(new Round(["A"], 0), 50));
    pass(200);
    answer(0);
    takeArrivals();
    expect(await result).toBe("reply");
  });

  test("the deadline resumes it when nothing had arrived; a later reply only updates the record", async () => {
    const { driver, pass, answer, takeArrivals } = handWorld();
    const round = new Round(["A"], 0);
    const result = driver.run(askOnce(round, 50));
    pass(50);
    takeArrivals();
    expect(await result).toBe("deadline");
    pass(70);
    answer(0);
    expect(round.votes).toEqual([{ node: "A", kind: "granted", roundTripMs: 70 }]);
  });

  test("a timer that fires early waits again instead of declaring the deadline", async () => {
    const { driver, pass } = handWorld();
    let woken = false;
    const result = driver.run(
      (function* (): Procedure<void> {
        yield* sleepUntil(50);
        woken = true;
      })(),
    );
    pass(49.5, 1);
    expect(woken).toBe(false);
    pass(50);
    await result;
  });

  test("one timer serves all receives of a round", async () => {
    const { driver, timers, answer } = handWorld();
    const round = new Round(["A", "A"], 0);
    void driver.run(
      (function* (): Procedure<void> {
        yield* send(round, 0, { command: COMMAND, untilMs: 50 });
        yield* receive(round, 50);
        yield* receive(round, 50);
      })(),
    );
    const before = [...timers];
    answer(0);
    expect([...timers]).toEqual(before);
  });

  test("a procedure that throws rejects its promise and leaves no timer", async () => {
    const { driver, timers } = handWorld();
    const result = driver.run(
      (function* (): Procedure<void> {
        throw new Error("a fault of the code");
      })(),
    );
    await expect(result).rejects.toThrow("a fault of the code");
    expect(timers.size).toBe(0);
  });

  test("detached procedures keep no process alive, are counted, and can be abandoned", async () => {
    const { driver, timers } = handWorld();
    await driver.run(
      (function* (): Procedure<void> {
        yield* detach(
          (function* () {
            yield* sleepUntil(1000);
            return { orphanCount: 0 };
          })(),
        );
      })(),
    );
    expect(driver.detachedCount).toBe(1);
    expect([...timers].map(({ keepAlive }) => keepAlive)).toEqual([false]);
    driver.close(new Error("closed"));
    expect(timers.size).toBe(0);
    expect([driver.detachedCount, driver.orphanCount]).toEqual([0, 1]);
  });

  test("beyond the bound a detached procedure sends what it sends, and is given up", async () => {
    const { driver, timers, sentCount } = handWorld();
    const followedMax = 20_000;
    const waiting = function* (): Procedure<DetachedResult> {
      const record = new Round(["A"], 0);
      yield* send(record, 0, { command: COMMAND, untilMs: 1000 });
      try {
        yield* sleepUntil(1000);
      } catch {
        return { orphanCount: 1 };
      }
      return { orphanCount: 0 };
    };
    await driver.run(
      (function* (): Procedure<void> {
        for (let count = 0; count < followedMax; count++) yield* detach(waiting());
      })(),
    );
    expect([driver.detachedCount, driver.orphanCount]).toEqual([followedMax, 0]);
    await driver.run(detach(waiting()));
    expect([driver.detachedCount, driver.orphanCount]).toEqual([followedMax, 1]);
    expect(sentCount()).toBe(followedMax + 1);
    expect(timers.size).toBe(followedMax);
    driver.close(new Error("closed"));
  });

  test("a token draw ends with the token, the failure, or the deadline, whichever comes first", async () => {
    const { driver, pass } = handWorld();
    const draw = (next: () => Promise<bigint>) => driver.run(drawToken({ next }, "orders", 50));
    expect(await draw(() => Promise.resolve(7n))).toEqual({ kind: "drawn", token: 7n });
    expect(await draw(() => Promise.reject(new Error("down")))).toMatchObject({ kind: "failed" });
    const silent = draw(() => new Promise(() => undefined));
    pass(50);
    expect(await silent).toMatchObject({
      kind: "failed",
      cause: expect.stringContaining("silent") as string,
    });
  });
});
