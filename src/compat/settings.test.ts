import { describe, expect, test } from "vitest";
import { assertPerCall, assertSettings, optionsFrom, waitMsFrom } from "./settings.ts";

describe("waitMsFrom", () => {
  test.each([
    [{}, 2000],
    [{ retryCount: 0 }, 0],
    [{ retryCount: 3, retryDelay: 100 }, 300],
    [{ retryCount: -1 }, 1e12],
    [{ retryCount: Infinity }, 1e12],
    [{ retryCount: 1e9, retryDelay: 1e9 }, 1e12],
  ])("%o waits for %i ms: as long as redlock 5 would on average (peers 19)", (settings, waitMs) => {
    expect(waitMsFrom(settings)).toBe(waitMs);
  });

  test.each([{ retryCount: -2 }, { retryCount: 1.5 }, { retryDelay: -1 }, { retryDelay: Infinity }])(
    "%o is misuse",
    (settings) => {
      expect(() => waitMsFrom(settings)).toThrow(expect.objectContaining({ code: "misuse" }));
    },
  );
});

describe("optionsFrom", () => {
  test("waits are capped where redlock 5 has its longest one, and other options pass", () => {
    const settings = { retryDelay: 200, retryJitter: 100, driftFactor: 0.02, nodeTimeoutMs: 10 };
    expect(optionsFrom(settings)).toEqual({
      retryBaseMs: 20,
      retryCapMs: 300,
      driftFactor: 0.02,
      nodeTimeoutMs: 10,
    });
  });

  test("no wait at all becomes the least there is", () => {
    expect(optionsFrom({ retryDelay: 0, retryJitter: 0 })).toEqual({ retryBaseMs: 1, retryCapMs: 1 });
  });

  test("the threshold of extensions is taken and has no meaning", () => {
    expect(optionsFrom({ automaticExtensionThreshold: 500 })).toEqual({ retryBaseMs: 20, retryCapMs: 300 });
  });

  test.each([{ retryDelay: Number.NaN }, { retryJitter: -1 }])("%o is misuse", (settings) => {
    expect(() => optionsFrom(settings)).toThrow(expect.objectContaining({ code: "misuse" }));
  });
});

describe("assertPerCall", () => {
  test("what all rounds share is refused for one call", () => {
    expect(() => {
      assertPerCall({ retryCount: 0, driftFactor: 0.1, quorum: 3 });
    }).toThrow("driftFactor, quorum cannot be set for one call");
  });

  test("what belongs to a call is not", () => {
    expect(() => {
      assertPerCall({ retryCount: 0, retryDelay: 1, retryJitter: 0, automaticExtensionThreshold: 500 });
    }).not.toThrow();
  });
});

describe("assertSettings", () => {
  test.each([null, undefined, 7, "retryCount", []])("%o is misuse", (settings) => {
    expect(() => {
      assertSettings(settings);
    }).toThrow("settings must be an object");
  });

  test("db belongs to the client", () => {
    expect(() => {
      assertSettings({ db: 3 });
    }).toThrow("db is no setting here: give it to the client");
  });
});
