import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { backoffMs } from "./backoff.ts";

const backoffs = fc
  .record({ baseMs: fc.integer({ min: 1, max: 1000 }), capMs: fc.integer({ min: 1, max: 100_000 }) })
  .filter(({ baseMs, capMs }) => baseMs <= capMs);
const fractions = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("backoffMs", () => {
  test.prop([backoffs, fc.integer({ min: 1, max: 1_000_000 }), fractions])(
    "it stays between 1 ms and the cap, however many attempts",
    (backoff, attempt, fraction) => {
      const delayMs = backoffMs(backoff, attempt, fraction);
      expect(delayMs).toBeGreaterThanOrEqual(1);
      expect(delayMs).toBeLessThanOrEqual(backoff.capMs);
    },
  );

  test.prop([backoffs, fc.integer({ min: 1, max: 60 }), fractions])(
    "its upper end never falls from one attempt to the next",
    (backoff, attempt, fraction) => {
      expect(backoffMs(backoff, attempt + 1, fraction)).toBeGreaterThanOrEqual(
        backoffMs(backoff, attempt, fraction),
      );
    },
  );

  test("it doubles until the cap, with full jitter (peers 25)", () => {
    const backoff = { baseMs: 20, capMs: 100 };
    expect([1, 2, 3, 4, 5].map((attempt) => backoffMs(backoff, attempt, 0.5))).toEqual([10, 20, 40, 50, 50]);
    expect(backoffMs(backoff, 3, 0)).toBe(1);
  });
});
