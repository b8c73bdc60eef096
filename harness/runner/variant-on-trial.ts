/** A variant as another strategy is put on trial in it. Pure. */
import type { Expectations, Variant } from "../scenario/scenario.ts";

/**
 * What the variant expects to be broken says nothing of another strategy: that becomes `any`. What has to hold has
 * to hold for everybody.
 *
 * @param strategy `undefined`: the variant stays as it is.
 */
export function variantOnTrial(variant: Variant, strategy: string | undefined): Variant {
  if (strategy === undefined) return variant;
  return { ...variant, strategy, expect: excused(variant.expect) };
}

function excused(expect: Expectations): Expectations {
  return Object.fromEntries(
    Object.entries(expect).map(([checker, kind]) => [checker, kind === "invalid" ? "any" : kind]),
  );
}
