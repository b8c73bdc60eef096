import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { editDistance, nearestName } from "./nearest-name.ts";

describe("nearestName", () => {
  test("finds the name a typing mistake away", () => {
    expect(nearestName("klepmann-pause", ["S01", "kleppmann-pause"])).toBe("kleppmann-pause");
    expect(nearestName("s41", ["S07", "S40"])).toBe("S40");
  });

  test("guesses nothing where nothing is near", () => {
    expect(nearestName("everything", ["S01", "S07"])).toBeUndefined();
    expect(nearestName("xyz", ["S01"])).toBeUndefined();
  });
});

describe("editDistance", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });

  test.prop([word, word])("is 0 for equal words only, and the same both ways", (left, right) => {
    expect(editDistance(left, right) === 0).toBe(left === right);
    expect(editDistance(left, right)).toBe(editDistance(right, left));
  });

  test.prop([word, fc.nat(8)])("counts one for a character put in", (text, place) => {
    expect(editDistance(text, `${text.slice(0, place)}x${text.slice(place)}`)).toBe(1);
  });
});
