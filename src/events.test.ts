import { describe, expect, test } from "vitest";
import { Observers, type RedlockEvent } from "./events.ts";

const EVENT: RedlockEvent = { kind: "orphaned", count: 1 };

describe("Observers", () => {
  test("nobody listens until somebody does, and after the last has gone", () => {
    const observers = new Observers();
    expect(observers.areListening).toBe(false);
    const stop = observers.add(() => undefined);
    expect(observers.areListening).toBe(true);
    stop();
    stop();
    expect(observers.areListening).toBe(false);
  });

  test("an observer that throws keeps nobody from being told", () => {
    const observers = new Observers();
    const told: RedlockEvent[] = [];
    observers.add(() => {
      throw new Error("the observer's own fault");
    });
    observers.add((event) => told.push(event));
    expect(() => observers.tell(EVENT)).not.toThrow();
    expect(told).toEqual([EVENT]);
  });

  test("the rejection of an asynchronous observer is not left unhandled", async () => {
    const observers = new Observers();
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    const observer: () => unknown = () => Promise.reject(new Error("late"));
    observers.add(observer);
    observers.tell(EVENT);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    process.off("unhandledRejection", onRejection);
    expect(rejections).toEqual([]);
  });

  test("a function that is added twice is told twice, and taken away once", () => {
    const observers = new Observers();
    let count = 0;
    const observer = () => {
      count += 1;
    };
    const stop = observers.add(observer);
    observers.add(observer);
    observers.tell(EVENT);
    stop();
    observers.tell(EVENT);
    expect(count).toBe(3);
  });

  test("who comes or goes while an event is told changes nothing for that event", () => {
    const observers = new Observers();
    const told: string[] = [];
    observers.add(() => {
      told.push("first");
      stopSecond();
      observers.add(() => told.push("third"));
    });
    const stopSecond = observers.add(() => told.push("second"));
    observers.tell(EVENT);
    expect(told).toEqual(["first", "second"]);
  });

  test("a node in quarantine is told of once, and again when it is quarantined anew", () => {
    const observers = new Observers();
    const told: RedlockEvent[] = [];
    observers.add((event) => told.push(event));
    const quarantined = (node: string, leftMs: number) =>
      ({ node, kind: "refused", reason: "quarantined", leftMs, roundTripMs: 1 }) as const;
    observers.tellQuarantines([{ node: "A", kind: "granted", roundTripMs: 1 }, quarantined("B", 500)], 1000);
    observers.tellQuarantines([quarantined("B", 100), quarantined("C", 300)], 1400);
    observers.tellQuarantines([quarantined("B", 500)], 1500);
    expect(told).toEqual([
      { kind: "node-quarantined", node: "B", leftMs: 500 },
      { kind: "node-quarantined", node: "C", leftMs: 300 },
      { kind: "node-quarantined", node: "B", leftMs: 500 },
    ]);
  });
});
