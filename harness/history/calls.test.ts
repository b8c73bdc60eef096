import { describe, expect, test } from "vitest";
import { acquiresOf, callsOf } from "./calls.ts";
import { extended, failedAcquire, historyOf, hold } from "./history.fixture.ts";

describe("callsOf", () => {
  const history = historyOf([
    ...hold("W1/1", { at: 5, release: 100 }),
    ...extended("W1/1", { at: 50, granted: 54, deadline: 1038 }),
    ...failedAcquire("W2#1", { at: 10, returned: 30, waitMs: 20, code: "unavailable" }),
    ...failedAcquire("W3#1", { at: 40, returned: null }),
  ]);

  test("pairs each call with its return, in the order of the calls", () => {
    expect(
      callsOf(history).map(({ kind, id, invoked, returned }) => [
        kind,
        id,
        invoked.atMs,
        returned?.moment.atMs,
      ]),
    ).toEqual([
      ["acquire", "W1/1#acquire", 0, 5],
      ["acquire", "W2#1", 10, 30],
      ["acquire", "W3#1", 40, undefined],
      ["extend", "W1/1#extend1", 50, 54],
      ["release", "W1/1#release", 100, 104],
    ]);
  });

  test("says why a call failed", () => {
    expect(acquiresOf(history).map(({ waitMs, returned }) => [waitMs, returned?.code])).toEqual([
      [0, undefined],
      [20, "unavailable"],
      [0, undefined],
    ]);
  });

  test("passes over a return without a call", () => {
    const [, failed] = failedAcquire("W2#1", { at: 10, returned: 30 });

    expect(callsOf(historyOf(failed === undefined ? [] : [failed]))).toEqual([]);
  });
});
