import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { columnsOf, type Scale, tickTimesMs } from "./scale.ts";

const scales: fc.Arbitrary<Scale> = fc
  .record({ fromMs: fc.integer({ min: 0, max: 100_000 }), lengthMs: fc.integer({ min: 1, max: 600_000 }) })
  .chain(({ fromMs, lengthMs }) =>
    fc
      .integer({ min: 47, max: 200 })
      .map((columnCount) => ({ fromMs, toMs: fromMs + lengthMs, columnCount })),
  );

describe("columnsOf", () => {
  test.prop([scales, fc.integer({ min: 0, max: 700_000 }), fc.nat(1000)])(
    "a span that the window touches covers columns inside the picture",
    (scale, fromMs, lengthMs) => {
      const columns = columnsOf({ fromMs, toMs: fromMs + lengthMs }, scale);
      const touches = fromMs <= scale.toMs && fromMs + lengthMs >= scale.fromMs;

      expect(columns !== undefined).toBe(touches);
      if (columns === undefined) return;
      expect(columns.first).toBeGreaterThanOrEqual(0);
      expect(columns.last).toBeGreaterThanOrEqual(columns.first);
      expect(columns.last).toBeLessThan(scale.columnCount);
    },
  );

  test("neighbouring spans share no column that both fill", () => {
    const scale = { fromMs: 0, toMs: 100, columnCount: 100 };

    expect(columnsOf({ fromMs: 0, toMs: 50 }, scale)).toEqual({ first: 0, last: 49 });
    expect(columnsOf({ fromMs: 50, toMs: 100 }, scale)).toEqual({ first: 50, last: 99 });
  });
});

describe("tickTimesMs", () => {
  test.prop([scales])(
    "ticks are round, inside the window, and far enough apart for their labels",
    (scale) => {
      const ticks = tickTimesMs(scale);
      const stepMs = (ticks[1] ?? Infinity) - (ticks[0] ?? 0);

      expect(ticks.every((atMs) => atMs >= scale.fromMs && atMs <= scale.toMs)).toBe(true);
      expect((stepMs / (scale.toMs - scale.fromMs)) * scale.columnCount).toBeGreaterThanOrEqual(9);
      if (Number.isFinite(stepMs)) expect(ticks[0]).toBe(Math.ceil(scale.fromMs / stepMs) * stepMs);
    },
  );

  test("a second in a hundred columns has a tick each hundred milliseconds", () => {
    expect(tickTimesMs({ fromMs: 0, toMs: 1000, columnCount: 100 })).toHaveLength(11);
  });
});
