import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { WHOLE } from "../runner/shard.ts";
import { blocksOf } from "./blocks.ts";

describe("blocksOf", () => {
  const schedules = fc.integer({ min: 1, max: 5_000 });

  test.prop([schedules, fc.integer({ min: 1, max: 12 })])(
    "every index falls to one shard",
    (count, parts) => {
      const indices = Array.from({ length: parts }, (_, at) => ({ number: at + 1, count: parts }))
        .flatMap((shard) => blocksOf(count, shard))
        .flatMap(({ fromIndex, toIndex }) =>
          Array.from({ length: toIndex - fromIndex }, (_, at) => fromIndex + at),
        );

      expect(indices.toSorted((left, right) => left - right)).toEqual(
        Array.from({ length: count }, (_, at) => at),
      );
    },
  );

  test("the whole is one shard, lowest first", () => {
    expect(blocksOf(250, WHOLE)).toEqual([
      { number: 0, fromIndex: 0, toIndex: 100 },
      { number: 1, fromIndex: 100, toIndex: 200 },
      { number: 2, fromIndex: 200, toIndex: 250 },
    ]);
  });
});
