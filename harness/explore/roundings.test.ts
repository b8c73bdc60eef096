import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { roundings } from "./roundings.ts";

/** Thousands are rounder than hundreds, these than fifties, and so on; zero is the roundest. */
function roundness(ms: number): number {
  if (ms === 0) return 10;
  return [10, 50, 100, 500, 1_000].filter((grain) => ms % grain === 0).length;
}

describe("roundings", () => {
  test.prop([fc.nat({ max: 20_000 })])("every one is rounder, so that rounding comes to an end", (ms) => {
    for (const candidate of roundings(ms)) expect(roundness(candidate)).toBeGreaterThan(roundness(ms));
  });

  test("the roundest come first, from below and from above", () => {
    expect(roundings(1_337)).toEqual([0, 1_000, 2_000, 1_500, 1_300, 1_400, 1_350, 1_330, 1_340]);
    expect(roundings(0)).toEqual([]);
  });
});
