import { describe, expect, test } from "vitest";
import { NodeClock } from "./node-clock.ts";

describe("NodeClock", () => {
  test.each([1.15, 1.1, 0.95, 1.0001])("whole milliseconds come out whole at the rate %d", (rate) => {
    const clock = new NodeClock();
    clock.setRate(0, rate);
    expect(clock.wallMs(10_000)).toBe(Math.round(10_000 * rate));
    expect(clock.reachesMs(Math.round(10_000 * rate))).toBe(10_000);
  });

  test("a step moves it, a rate changes how fast it runs from then on", () => {
    const clock = new NodeClock();
    clock.jump(100, 2_000);
    clock.setRate(200, 1.5);
    expect(clock.wallMs(400)).toBe(2_200 + 300);
    expect(clock.reachesMs(2_350)).toBe(300);
    expect(clock.reachesMs(1_000)).toBe(200);
  });
});
