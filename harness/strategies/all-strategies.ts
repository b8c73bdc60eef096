/** Every strategy that can be put on trial. */
import { UsageError } from "../lab-error.ts";
import { ALTERNATIVES, REDLOCK } from "./alternatives.ts";
import { DELETE_MUTANTS } from "./mutants/deletes.ts";
import { EXTENSION_MUTANTS } from "./mutants/extension.ts";
import { GUARD_MUTANTS } from "./mutants/guard.ts";
import { ROUND_MUTANTS } from "./mutants/rounds.ts";
import { VALIDITY_MUTANTS } from "./mutants/validity.ts";
import { VALUE_MUTANTS } from "./mutants/values.ts";
import type { Strategy } from "./strategy.ts";

export const STRATEGIES: readonly Strategy[] = [
  REDLOCK,
  ...ALTERNATIVES,
  ...VALIDITY_MUTANTS,
  ...DELETE_MUTANTS,
  ...VALUE_MUTANTS,
  ...ROUND_MUTANTS,
  ...EXTENSION_MUTANTS,
  ...GUARD_MUTANTS,
];

/** @throws UsageError one sentence that names those there are. */
export function strategyOf(name: string): Strategy {
  const found = STRATEGIES.find((strategy) => strategy.name === name);
  if (found !== undefined) return found;
  const names = STRATEGIES.map((strategy) => strategy.name).join(", ");
  throw new UsageError(`There is no strategy ${JSON.stringify(name)}. There are: ${names}.`);
}
