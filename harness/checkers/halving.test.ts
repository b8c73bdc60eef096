import { fc, test as property } from "@fast-check/vitest";
import { expect } from "vitest";
import { countFromStart } from "./halving.ts";

property.prop([fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: -1, max: 10 })])(
  "counts as a filter does",
  (drawn, limit) => {
    const sorted = drawn.toSorted((left, right) => left - right);
    const isBelow = (item: number): boolean => item < limit;

    expect(countFromStart(sorted, isBelow)).toBe(sorted.filter(isBelow).length);
  },
);
