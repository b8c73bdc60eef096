import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { Belief } from "./belief.ts";

const beliefUntil = (deadlineMs: number) => new Belief({ resource: "orders", value: "v1", deadlineMs });

describe("Belief", () => {
  test("it is over at its deadline, not after it", () => {
    const belief = beliefUntil(988);
    expect([belief.isOver(987.9), belief.isOver(988)]).toEqual([false, true]);
    expect([belief.remainingMs(987), belief.remainingMs(988), belief.remainingMs(2000)]).toEqual([1, 0, 0]);
  });

  test.prop([fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 3000 })])(
    "raising moves the deadline forward only, and only while it lasts",
    (nowMs, deadlineMs) => {
      const belief = beliefUntil(988);
      const raised = belief.raise(deadlineMs, nowMs);
      expect(raised).toBe(nowMs < 988);
      expect(belief.deadlineMs).toBe(raised ? Math.max(988, deadlineMs) : 988);
    },
  );

  test.prop([fc.constantFrom("released", "lost", "expired")])(
    "nothing brings back what was ended",
    (ending) => {
      const belief = beliefUntil(988);
      belief.end(ending);
      expect(belief.raise(5000, 10)).toBe(false);
      expect([belief.deadlineMs, belief.remainingMs(10), belief.isOver(10)]).toEqual([988, 0, true]);
    },
  );

  test("the first ending stays", () => {
    const belief = beliefUntil(988);
    belief.end("lost");
    belief.end("released");
    expect(belief.ending).toBe("lost");
  });

  test("its listener is called in the step of the change, and not when nothing changes", () => {
    const belief = beliefUntil(988);
    const seen: number[] = [];
    belief.onChange = () => {
      seen.push(belief.remainingMs(10));
    };
    belief.raise(1488, 10);
    belief.end("released");
    belief.end("lost");
    belief.raise(9999, 10);
    expect(seen).toEqual([1478, 0]);
  });
});
