import { describe, expect } from "vitest";
import { fc, test } from "@fast-check/vitest";
import { parseEphemeralRange, reservableRange } from "./port-reservation.ts";

describe("reservableRange", () => {
  test("lies below Debian's ephemeral range", () => {
    expect(reservableRange({ low: 32_768, high: 60_999 })).toEqual({ low: 20_000, high: 32_767 });
  });

  test("lies above an ephemeral range that starts at the first free port", () => {
    expect(reservableRange({ low: 1_024, high: 60_000 })).toEqual({ low: 60_001, high: 65_535 });
  });

  const ranges = fc
    .tuple(fc.integer({ min: 1_024, max: 65_535 }), fc.integer({ min: 1_024, max: 65_535 }))
    .map(([one, other]) => ({ low: Math.min(one, other), high: Math.max(one, other) }));

  test.prop([ranges])("never meets the ephemeral range while 500 ports are left outside it", (ephemeral) => {
    const { low, high } = reservableRange(ephemeral);
    const roomBelow = ephemeral.low - 1_024;
    const roomAbove = 65_535 - ephemeral.high;
    if (roomBelow >= 500 || roomAbove >= 500) {
      expect(high < ephemeral.low || low > ephemeral.high).toBe(true);
    }
    expect(high - low + 1).toBeGreaterThanOrEqual(500);
    expect(high).toBeLessThanOrEqual(65_535);
  });
});

describe("parseEphemeralRange", () => {
  test("reads the kernel's two numbers", () => {
    expect(parseEphemeralRange("32768\t60999\n")).toEqual({ low: 32_768, high: 60_999 });
  });

  test.each(["", "32768", "a b", "60999 32768", "1 70000"])("does not read %j", (text) => {
    expect(parseEphemeralRange(text)).toBeUndefined();
  });
});
