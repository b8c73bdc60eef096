/** A variant as another strategy is put on trial in it. Pure. */
import { DEFAULT_STRATEGY } from "../scenario/resolve-plan.ts";
import type { Expectation, Expectations, Variant } from "../scenario/scenario.ts";

/**
 * What the coordinator is expected to break says nothing of another strategy: that becomes `any`. What has to hold
 * has to hold for everybody. In a variant that is told for this very strategy, what it breaks is its own doing and
 * no excuse: that has to hold as well, and does not.
 *
 * @param strategy `undefined`: the variant stays as it is.
 */
export function variantOnTrial(variant: Variant, strategy: string | undefined): Variant {
  if (strategy === undefined) return variant;
  const isItsOwn = strategy !== DEFAULT_STRATEGY && strategy === variant.strategy;
  return { ...variant, strategy, expect: demandsOf(variant.expect, isItsOwn ? "valid" : "any") };
}

function demandsOf(expect: Expectations, insteadOfBroken: Expectation): Expectations {
  return Object.fromEntries(
    Object.entries(expect).map(([checker, kind]) => [checker, kind === "invalid" ? insteadOfBroken : kind]),
  );
}
