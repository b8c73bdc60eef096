import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { EventQueue } from "./event-queue.ts";

/** Plans an event for each time, plays all, and says in which order they came. */
function orderOf(times: readonly number[]): readonly number[] {
  const queue = new EventQueue();
  const order: number[] = [];
  for (const [index, atMs] of times.entries()) queue.at(atMs, () => order.push(index));
  for (let left = times.length; left > 0; left -= 1) queue.step();
  return order;
}

describe("EventQueue", () => {
  property.prop([fc.array(fc.nat(20), { maxLength: 400 })])(
    "events come by time, and at one time in the order in which they were planned",
    (times) => {
      const expected = times
        .map((atMs, index) => ({ atMs, index }))
        .toSorted((left, right) => left.atMs - right.atMs || left.index - right.index)
        .map(({ index }) => index);

      expect(orderOf(times)).toEqual(expected);
    },
  );

  test("the clock shows the time of the event that happens", () => {
    const queue = new EventQueue();
    const shown: number[] = [];
    queue.at(7, () => shown.push(queue.nowMs));
    queue.at(3, () => {
      shown.push(queue.nowMs);
      queue.at(5, () => shown.push(queue.nowMs));
    });
    for (let steps = 0; steps < 3; steps += 1) queue.step();

    expect(shown).toEqual([3, 5, 7]);
    expect(queue.nextAtMs).toBe(Infinity);
  });

  test("what is planned for a time that has passed comes behind all that is due now", () => {
    const queue = new EventQueue();
    const order: string[] = [];
    queue.at(5, () => {
      queue.at(1, () => order.push(`late at ${queue.nowMs}`));
    });
    queue.at(5, () => order.push("due"));
    for (let steps = 0; steps < 3; steps += 1) queue.step();

    expect(order).toEqual(["due", "late at 5"]);
  });

  test("time passes without events, but not over one", () => {
    const queue = new EventQueue();
    queue.passTo(4);
    queue.at(6, () => undefined);

    expect(queue.nowMs).toBe(4);
    expect(() => queue.passTo(7)).toThrow("would be passed over");
    queue.step();
    expect(() => queue.step()).toThrow("nothing is left");
  });
});
