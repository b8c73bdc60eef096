import { describe, expect } from "vitest";
import { fc, test } from "@fast-check/vitest";
import { NodeClock } from "./node-clock.ts";

describe("NodeClock", () => {
  test.each([1.15, 1.1, 0.95, 1.0001])("whole milliseconds come out whole at the rate %d", (rate) => {
    const clock = new NodeClock();
    clock.setRate(0, rate);
    expect(clock.wallMs(10_000)).toBe(Math.round(10_000 * rate));
    expect(clock.reachesMs(Math.round(10_000 * rate))).toBe(10_000);
  });

  const moves = fc.array(fc.record({ rate: fc.constantFrom(0.9, 1.1, 1.001), passMs: fc.nat({ max: 20 }) }), {
    maxLength: 20,
  });
  test.prop([fc.constantFrom(0, 1_000_000_000), moves])(
    "shows what whole numbers of nanoseconds give, far from zero too",
    (startMs, pieces) => {
      const clock = new NodeClock();
      clock.jump(0, startMs);
      let atMs = 0;
      let shownNs = startMs * 1e6;
      for (const { rate, passMs } of pieces) {
        clock.setRate(atMs, rate);
        atMs += passMs;
        shownNs += passMs * Math.round(rate * 1e6);
        expect(clock.wallMs(atMs)).toBe(shownNs / 1e6);
      }
    },
  );

  test("a step moves it, a rate changes how fast it runs from then on", () => {
    const clock = new NodeClock();
    clock.jump(100, 2_000);
    clock.setRate(200, 1.5);
    expect(clock.wallMs(400)).toBe(2_200 + 300);
    expect(clock.reachesMs(2_350)).toBe(300);
    expect(clock.reachesMs(1_000)).toBe(200);
  });
});
