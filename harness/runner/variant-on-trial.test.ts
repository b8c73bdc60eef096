import { describe, expect, test } from "vitest";
import type { Variant } from "../scenario/scenario.ts";
import { variantOnTrial } from "./variant-on-trial.ts";

const VARIANT: Variant = {
  name: "plain",
  summary: "As it is told.",
  strategy: "mutant:plain-del",
  expect: { declared: "invalid", danger: "any", hygiene: "valid" },
};

describe("variantOnTrial", () => {
  test("excuses what was to be broken and demands what was to hold", () => {
    expect(variantOnTrial(VARIANT, "single")).toEqual({
      ...VARIANT,
      strategy: "single",
      expect: { declared: "any", danger: "any", hygiene: "valid" },
    });
  });

  test("without a strategy the variant stays as it is", () => {
    expect(variantOnTrial(VARIANT, undefined)).toBe(VARIANT);
  });
});
