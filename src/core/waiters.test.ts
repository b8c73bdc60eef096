import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { Belief } from "./belief.ts";
import { type Turn, Waiters } from "./waiters.ts";

const entered = (waiters: Waiters, ...resources: readonly string[]): Turn => {
  const turn = waiters.enter(resources);
  if (turn === undefined) throw new Error("there is no place");
  return turn;
};

describe("Waiters", () => {
  test("the first has its turn at once, and the next when it leaves", () => {
    const waiters = new Waiters();
    const [first, second, third] = [1, 2, 3].map(() => entered(waiters, "orders"));
    expect(waiters.blockerOf(first!)).toBeUndefined();
    expect(waiters.blockerOf(third!)).toBe(first);
    expect(waiters.leave(first!)).toEqual([second]);
    expect(waiters.leave(second!)).toEqual([third]);
  });

  test("whoever gives up in the middle of a line is waited for by nobody, and who moves up looks again", () => {
    const waiters = new Waiters();
    const [first, second, third] = [1, 2, 3].map(() => entered(waiters, "orders"));
    expect(waiters.leave(second!)).toEqual([third]);
    expect(waiters.blockerOf(third!)).toBe(first);
    expect(waiters.leave(second!)).toEqual([]);
    expect(waiters.leave(first!)).toEqual([third]);
  });

  test("lines of other resources are not waited for", () => {
    const waiters = new Waiters();
    entered(waiters, "orders");
    expect(waiters.blockerOf(entered(waiters, "invoices"))).toBeUndefined();
  });

  test("who wants several has its turn when it is the first in all of their lines", () => {
    const waiters = new Waiters();
    const a = entered(waiters, "a");
    const b = entered(waiters, "b");
    const both = entered(waiters, "a", "b");
    const behind = entered(waiters, "b");
    expect(waiters.leave(b)).toEqual([both]);
    expect(waiters.blockerOf(behind)).toBe(both);
    waiters.leave(a);
    expect(waiters.blockerOf(both)).toBeUndefined();
    expect(waiters.leave(both)).toEqual([behind]);
  });

  test("once closed nobody's turn comes any more", () => {
    const waiters = new Waiters();
    const first = entered(waiters, "orders");
    entered(waiters, "orders");
    waiters.close();
    expect(waiters.leave(first)).toEqual([]);
  });

  test("lines are bounded", () => {
    const waiters = new Waiters();
    for (let count = 0; count < 100_000; count++) entered(waiters, "orders");
    expect(waiters.enter(["orders"])).toBeUndefined();
  });

  test("those whose locks have run out go when many have come, and wake who stands behind them", () => {
    const waiters = new Waiters();
    const holders = Array.from({ length: 999 }, (_, index) => entered(waiters, `r${String(index)}`));
    for (const [index, turn] of holders.entries()) {
      turn.belief = new Belief({
        resource: `r${String(index)}`,
        value: "v",
        deadlineMs: index < 900 ? 100 : 1000,
      });
    }
    expect(waiters.wantsSweep).toBe(false);
    const waiting = entered(waiters, "r0");
    expect(waiters.wantsSweep).toBe(true);

    expect(waiters.sweep(100)).toEqual([waiting]);
    expect(waiters.size).toBe(100);
    expect(waiters.blockerOf(waiting)).toBeUndefined();
    expect(waiters.wantsSweep).toBe(false);
  });

  const RESOURCES = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 });

  property.prop([fc.array(fc.oneof(RESOURCES, fc.nat({ max: 9 })), { maxLength: 60 })])(
    "whoever is told to look again finds its turn, once all who came earlier for its resources have left",
    (steps) => {
      const waiters = new Waiters();
      const standing: Turn[] = [];
      const come = new Set<Turn>();
      const look = (turn: Turn): void => {
        if (waiters.blockerOf(turn) === undefined) come.add(turn);
      };
      const leave = (turn: Turn): void => {
        standing.splice(standing.indexOf(turn), 1);
        for (const next of waiters.leave(turn)) look(next);
      };
      for (const step of steps) {
        if (typeof step === "number") {
          const turn = standing[step];
          if (turn !== undefined) leave(turn);
        } else {
          const turn = entered(waiters, ...step);
          standing.push(turn);
          look(turn);
        }
        for (const [index, turn] of standing.entries()) {
          const earlier = standing.slice(0, index);
          const isBlocked = earlier.some(({ resources }) =>
            resources.some((one) => turn.resources.includes(one)),
          );
          expect(come.has(turn)).toBe(!isBlocked);
        }
      }
      while (standing[0] !== undefined) leave(standing[0]);
      expect(waiters.size).toBe(0);
    },
  );
});
