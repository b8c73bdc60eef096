import { describe, expect, test } from "vitest";
import { RandomStream } from "../../../random/random-stream.ts";
import { EventQueue } from "../event-queue.ts";
import { Replication } from "./replication.ts";

const KEY = { value: "v1", expiresAtMs: 1000 };

function replicated(replicaCount: number) {
  const queue = new EventQueue();
  const replication = new Replication({ queue, random: RandomStream.fromSeed("1"), replicaCount });
  const playTo = (toMs: number): void => {
    while (queue.nextAtMs <= toMs) queue.step();
    queue.passTo(toMs);
  };
  const acknowledged: number[] = [];
  const wait = (count: number): void =>
    replication.whenAcknowledged(count, () => acknowledged.push(queue.nowMs));
  return { replication, playTo, wait, acknowledged };
}

describe("Replication", () => {
  test("a write reaches every replica a little later, and so does a removal", () => {
    const { replication, playTo } = replicated(2);
    replication.noteWrite("orders", KEY);
    playTo(1);
    expect(replication.find(1, "orders")).toBeUndefined();
    playTo(3);
    expect([1, 2].map((number) => replication.find(number, "orders"))).toEqual([KEY, KEY]);

    replication.noteWrite("orders", undefined);
    playTo(6);
    expect(replication.find(2, "orders")).toBeUndefined();
  });

  test("writes arrive in order, however many there are", () => {
    const { replication, playTo } = replicated(1);
    for (let index = 0; index < 50; index += 1)
      replication.noteWrite("orders", { ...KEY, value: `v${index}` });
    playTo(3);

    expect(replication.find(1, "orders")?.value).toBe("v49");
  });

  test("a replica that is held back gets nothing, and everything when it is not any more", () => {
    const { replication, playTo } = replicated(2);
    replication.hold(1, true);
    replication.noteWrite("orders", KEY);
    playTo(100);
    expect([1, 2].map((number) => replication.find(number, "orders")?.value)).toEqual([undefined, "v1"]);

    replication.hold(1, false);
    playTo(110);
    expect(replication.find(1, "orders")?.value).toBe("v1");
  });

  test("WAIT is over when so many have acknowledged what was written before it, not earlier", () => {
    const { replication, playTo, wait, acknowledged } = replicated(2);
    replication.hold(2, true);
    replication.noteWrite("orders", KEY);
    wait(1);
    wait(2);
    playTo(2.5);
    expect(acknowledged).toEqual([]);
    playTo(50);
    expect(acknowledged).toHaveLength(1);
    expect(acknowledged[0]).toBeGreaterThanOrEqual(3);

    replication.hold(2, false);
    playTo(60);
    expect(acknowledged).toHaveLength(2);
  });

  test("WAIT for more replicas than there are is never over; for none it is over at once", () => {
    const { playTo, wait, acknowledged } = replicated(1);
    wait(2);
    wait(0);
    playTo(100);

    expect(acknowledged).toEqual([0]);
  });

  test("the promoted one has what it was sent; what was on its way is lost, to the others too", () => {
    const { replication, playTo } = replicated(2);
    replication.hold(1, true);
    replication.noteWrite("orders", KEY);
    playTo(10);
    replication.noteWrite("invoices", KEY);

    expect(replication.promote()).toEqual(new Map());
    playTo(50);
    expect(["orders", "invoices"].map((resource) => replication.find(2, resource))).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("the one that is named is promoted", () => {
    const { replication, playTo } = replicated(2);
    replication.hold(1, true);
    replication.noteWrite("orders", KEY);
    playTo(10);

    expect(replication.promote(2)).toEqual(new Map([["orders", KEY]]));
    expect(replication.find(1, "orders")).toEqual(KEY);
  });

  test("a promoted replica acknowledges nothing any more, and cannot be promoted again", () => {
    const { replication, playTo, wait, acknowledged } = replicated(2);
    replication.promote(1);
    replication.noteWrite("orders", KEY);
    wait(2);
    wait(1);
    playTo(50);

    expect(acknowledged).toHaveLength(1);
    expect(() => replication.promote(1)).toThrow("replica 1 is the master already");
    expect(replication.promote()).toEqual(new Map([["orders", KEY]]));
    expect(() => replication.promote()).toThrow("there is no replica");
  });

  test("a master that was started again empty empties its replicas", () => {
    const { replication, playTo } = replicated(1);
    replication.noteWrite("orders", KEY);
    playTo(10);
    replication.noteRestart(new Map([["invoices", KEY]]));
    playTo(20);

    expect(replication.promote()).toEqual(new Map([["invoices", KEY]]));
  });
});
