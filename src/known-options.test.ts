import { describe, expect, test } from "vitest";
import { assertKnownOptions, shown } from "./known-options.ts";

describe("assertKnownOptions", () => {
  test.each<[unknown, string]>([
    [null, "the options of acquire are an object, not null"],
    ["x", 'the options of acquire are an object, not the string "x"'],
    [5, "the options of acquire are an object, not the number 5"],
    [[], "the options of acquire are an object, not a list"],
    [{ wait: 5 }, "acquire has no option wait: it takes waitMs, signal"],
  ])("%j is misuse in one sentence", (options, message) => {
    expect(() => {
      assertKnownOptions("acquire", options, ["waitMs", "signal"]);
    }).toThrow(expect.objectContaining({ code: "misuse", message }));
  });

  test.each([{}, { waitMs: undefined }, { waitMs: 3, signal: 4 }])("%j has known names only", (options) => {
    expect(() => {
      assertKnownOptions("acquire", options, ["waitMs", "signal"]);
    }).not.toThrow();
  });
});

test("what is shown says whether a number was a string", () => {
  expect([3, "3", null].map(shown)).toEqual(["3", 'the string "3"', "null"]);
});
