import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { RandomStream } from "./random-stream.ts";

const draws = (stream: RandomStream, count = 8): readonly number[] =>
  Array.from({ length: count }, () => stream.uint32());

describe("RandomStream", () => {
  test("draws the same on every machine", () => {
    expect(draws(RandomStream.fromSeed("1"), 3)).toEqual([1729985483, 849133651, 2073545651]);
  });

  property.prop([fc.string(), fc.string()])("the same labels give the same numbers", (seed, label) => {
    const one = RandomStream.fromSeed(seed);
    const other = RandomStream.fromSeed(seed);

    expect(draws(one.fork(label))).toEqual(draws(other.fork(label)));
  });

  property.prop([fc.string(), fc.nat(50)])(
    "draws from a stream change nothing in its forks",
    (seed, count) => {
      const drawn = RandomStream.fromSeed(seed);
      draws(drawn, count);

      expect(draws(drawn.fork("network"))).toEqual(draws(RandomStream.fromSeed(seed).fork("network")));
    },
  );

  property.prop([fc.string(), fc.string()])("other labels give other numbers", (one, other) => {
    fc.pre(one !== other);
    const root = RandomStream.fromSeed("1");

    expect(draws(root.fork(one))).not.toEqual(draws(root.fork(other)));
  });

  test("where a label ends matters", () => {
    const root = RandomStream.fromSeed("1");

    expect(draws(root.fork("a").fork("bc"))).not.toEqual(draws(root.fork("ab").fork("c")));
  });

  property.prop([fc.string(), fc.integer({ min: 1, max: 2 ** 21 })])(
    "stays below the count",
    (seed, count) => {
      const drawn = RandomStream.fromSeed(seed).below(count);

      expect(Number.isInteger(drawn) && drawn >= 0 && drawn < count).toBe(true);
    },
  );

  test.each([0, 2 ** 21 + 1, Number.NaN])("one of %d cannot be drawn", (count) => {
    expect(() => RandomStream.fromSeed("1").below(count)).toThrow(RangeError);
  });

  test("is even: each of ten numbers comes about as often", () => {
    const stream = RandomStream.fromSeed("even");
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 100_000; draw += 1) counts[stream.below(10)]! += 1;

    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  test("fractions and booleans come from both halves", () => {
    const stream = RandomStream.fromSeed("halves");
    const fractions = Array.from({ length: 1000 }, () => stream.fraction());
    const heads = Array.from({ length: 1000 }, () => stream.boolean()).filter(Boolean).length;

    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1);
    expect(Math.abs(fractions.filter((fraction) => fraction < 0.5).length - 500)).toBeLessThan(80);
    expect(Math.abs(heads - 500)).toBeLessThan(80);
  });
});
