import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { shardFrom, shardOf, WHOLE } from "./shard.ts";

describe("shardFrom", () => {
  test("counts from one", () => {
    expect(shardFrom("2/8")).toEqual({ number: 2, count: 8 });
  });

  test.each(["0/8", "9/8", "1", "1/", "a/b", "1/8/2", "-1/8", "1/1001", ""])("%j is refused", (text) => {
    expect(() => shardFrom(text)).toThrow("Give a shard as i/n");
  });
});

describe("shardOf", () => {
  test.prop([fc.array(fc.nat()), fc.integer({ min: 1, max: 9 })])(
    "every item falls to one shard, in its order, and shards differ by one at most",
    (items, count) => {
      const numbered = items.map((item, place) => ({ item, place }));
      const shards = Array.from({ length: count }, (_, at) => shardOf(numbered, { number: at + 1, count }));
      const sizes = shards.map(({ length }) => length);

      expect(shards.flat().toSorted((left, right) => left.place - right.place)).toEqual(numbered);
      for (const shard of shards) {
        expect(shard.map(({ place }) => place)).toEqual(
          shard.map(({ place }) => place).toSorted((a, b) => a - b),
        );
      }
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    },
  );

  test("the whole is everything", () => {
    expect(shardOf(["a", "b"], WHOLE)).toEqual(["a", "b"]);
  });
});
