import { describe, expect, test } from "vitest";
import type { Variant } from "../scenario/scenario.ts";
import { variantOnTrial } from "./variant-on-trial.ts";

const VARIANT: Variant = {
  name: "plain",
  summary: "As it is told.",
  expect: { declared: "invalid", danger: "any", hygiene: "valid" },
};

describe("variantOnTrial", () => {
  test.each(["single", "redlock"])(
    "%s: what the coordinator breaks is excused, what has to hold is not",
    (strategy) => {
      expect(variantOnTrial(VARIANT, strategy)).toEqual({
        ...VARIANT,
        strategy,
        expect: { declared: "any", danger: "any", hygiene: "valid" },
      });
    },
  );

  test("what a variant shows of this very strategy is no excuse", () => {
    const own = { ...VARIANT, strategy: "single" };

    expect(variantOnTrial(own, "single")).toEqual({
      ...own,
      expect: { declared: "valid", danger: "any", hygiene: "valid" },
    });
  });

  test("without a strategy the variant stays as it is", () => {
    expect(variantOnTrial(VARIANT, undefined)).toBe(VARIANT);
  });
});
