import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { ShortMap } from "./short-map.ts";

const key = fc.nat({ max: 5 });
const step = fc.oneof(
  fc.record({ what: fc.constant("set" as const), key, value: fc.string({ maxLength: 2, minLength: 1 }) }),
  fc.record({ what: fc.constant("delete" as const), key }),
);

describe("ShortMap", () => {
  test.prop([fc.array(step)])("gives what a Map gives", (steps) => {
    const short = new ShortMap<number, string>();
    const map = new Map<number, string>();
    for (const taken of steps) {
      if (taken.what === "set") {
        short.set(taken.key, taken.value);
        map.set(taken.key, taken.value);
      } else {
        short.delete(taken.key);
        map.delete(taken.key);
      }
      for (let asked = 0; asked <= 5; asked += 1) expect(short.get(asked)).toBe(map.get(asked));
    }
  });
});
