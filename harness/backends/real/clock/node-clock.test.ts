import { describe, expect } from "vitest";
import { fc, test } from "@fast-check/vitest";
import { jumpClock, monotonicFromShown, setClockRate, shownAt, startNodeClock } from "./node-clock.ts";

const NS_PER_MS = 1_000_000n;
const ms = (count: number) => BigInt(count) * NS_PER_MS;
const clock = startNodeClock({ anchorMonotonicNs: 0n, anchorShownNs: ms(1_000_000) });

describe("jumpClock", () => {
  test("steps by exactly the given time", () => {
    const jumped = jumpClock(clock, { byMs: 2_000, nowNs: ms(100) });
    expect(shownAt(jumped, ms(100)) - shownAt(clock, ms(100))).toBe(ms(2_000));
    expect(shownAt(jumped, ms(99))).toBe(shownAt(clock, ms(99)));
  });
});

describe("setClockRate", () => {
  test("does not step", () => {
    const fast = setClockRate(clock, { rate: 1.2, nowNs: ms(100) });
    expect(shownAt(fast, ms(100))).toBe(shownAt(clock, ms(100)));
    expect(shownAt(fast, ms(200)) - shownAt(fast, ms(100))).toBe(ms(120));
  });

  test.each([0, -1, Number.NaN, 101])("refuses the rate %d", (rate) => {
    expect(() => setClockRate(clock, { rate, nowNs: 0n })).toThrow(RangeError);
  });
});

describe("monotonicFromShown", () => {
  test("takes the later of two times with one stamp when both are possible", () => {
    const back = jumpClock(clock, { byMs: -50, nowNs: ms(100) });
    expect(monotonicFromShown(back, { shownNs: shownAt(back, ms(120)), arrivedNs: ms(121) })).toBe(ms(120));
  });

  test("takes the earlier one when the later would lie after the arrival", () => {
    const back = jumpClock(clock, { byMs: -50, nowNs: ms(100) });
    expect(monotonicFromShown(back, { shownNs: shownAt(back, ms(99)), arrivedNs: ms(101) })).toBe(ms(99));
  });

  test("takes the arrival for a stamp that nobody was shown", () => {
    const forward = jumpClock(clock, { byMs: 500, nowNs: ms(100) });
    const inTheGapNs = shownAt(clock, ms(100)) + ms(300);
    expect(monotonicFromShown(forward, { shownNs: inTheGapNs, arrivedNs: ms(101) })).toBe(ms(101));
  });

  const moves = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 10, max: 500 }),
      // Steps back are shorter than the time between two moves, and stamps arrive at once: no stamp is ambiguous.
      byMs: fc.integer({ min: -9, max: 5_000 }),
      rate: fc.integer({ min: 80, max: 120 }).map((percent) => percent / 100),
    }),
    { maxLength: 6 },
  );

  test.prop([moves, fc.integer({ min: 0, max: 4_000 })])(
    "finds the time of a stamp that arrives at once, to the nanosecond",
    (drawn, atMs) => {
      let moved = clock;
      let nowMs = 0;
      for (const move of drawn) {
        nowMs += move.afterMs;
        moved = jumpClock(moved, { byMs: move.byMs, nowNs: ms(nowMs) });
        moved = setClockRate(moved, { rate: move.rate, nowNs: ms(nowMs) });
      }
      const shownNs = shownAt(moved, ms(atMs));
      const foundNs = monotonicFromShown(moved, { shownNs, arrivedNs: ms(atMs) });
      const errorNs = foundNs - ms(atMs);
      expect(errorNs <= 0n && errorNs >= -2n).toBe(true);
    },
  );
});
