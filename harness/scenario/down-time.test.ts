import { describe, expect, test } from "vitest";
import { downTimeMs } from "./down-time.ts";
import { DEFAULT_SETTINGS } from "./lab-settings.ts";

describe("downTimeMs", () => {
  test("a bare restart takes its time and no more", () => {
    expect(downTimeMs(DEFAULT_SETTINGS)).toBe(70);
  });

  test("a delayed restart outlasts the TTL, the drift and a margin", () => {
    expect(downTimeMs({ ...DEFAULT_SETTINGS, delayedRestart: true })).toBe(70 + 1000 + 10 + 50);
  });

  test("and follows the TTL", () => {
    expect(downTimeMs({ ...DEFAULT_SETTINGS, delayedRestart: true, ttlMs: 5000 })).toBeGreaterThan(5050);
  });
});
