import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { decimalNumber, wholeNumber } from "./number-option.ts";

describe("wholeNumber", () => {
  const parse = wholeNumber({ min: 1, max: 9 });

  test.each(["0", "10", "-1", "1.5", "", " 3", "3 ", "1e0", "0x3", "NaN", "Infinity", "3ms", "३"])(
    "refuses %j with the range",
    (text) => {
      expect(() => parse(text)).toThrow("Give a whole number from 1 to 9.");
    },
  );

  test.prop([fc.integer({ min: 1, max: 9 })])("takes every number of its range", (value) => {
    expect(parse(String(value))).toBe(value);
  });
});

describe("decimalNumber", () => {
  test("takes decimals within its range only", () => {
    const parse = decimalNumber({ min: 0, max: 0.5 });

    expect(parse("0.015")).toBe(0.015);
    expect(() => parse("0.51")).toThrow("Give a number from 0 to 0.5.");
    expect(() => parse(".")).toThrow("Give a number");
  });
});
