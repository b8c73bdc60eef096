import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { deadlineOf, driftAllowanceMs } from "./validity.ts";

const ttls = fc.integer({ min: 1, max: 1e9 });
const driftFactors = fc.double({ min: 0, max: 0.5, noNaN: true });

describe("driftAllowanceMs", () => {
  test("a TTL of 1000 ms at 0.01 gives up 12 ms", () => {
    expect(driftAllowanceMs(1000, 0.01)).toBe(12);
  });

  test.prop([ttls, driftFactors])(
    "it is whole, and at least the share and two grains",
    (ttlMs, driftFactor) => {
      const driftMs = driftAllowanceMs(ttlMs, driftFactor);
      expect(Number.isInteger(driftMs)).toBe(true);
      expect(driftMs).toBeGreaterThanOrEqual(ttlMs * driftFactor + 2);
      expect(driftMs).toBeLessThanOrEqual(ttlMs * driftFactor + 3);
    },
  );
});

describe("deadlineOf", () => {
  test.prop([ttls, driftFactors, fc.integer({ min: 0, max: 1e12 })])(
    "a node whose clock is as fast as the drift factor allows still has the key",
    (ttlMs, driftFactor, startedAtMs) => {
      const deadlineMs = deadlineOf({ startedAtMs, ttlMs, driftFactor });
      // A key that is set at the earliest possible moment, on a clock that is `driftFactor` of the TTL ahead at its end.
      expect(deadlineMs).toBeLessThanOrEqual(startedAtMs + ttlMs * (1 - driftFactor) - 2 + 1e-3);
    },
  );
});
