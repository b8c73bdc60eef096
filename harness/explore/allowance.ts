/** The assumptions of the envelope that a search can be told to lift (design: "What is promised: the envelope"). */
import { UsageError } from "../lab-error.ts";

export const ALLOWANCES = {
  "clock-jump": "a node's wall clock steps forward while keys live (point 2)",
  drift: "a node's clock runs faster than the drift factor covers (point 1)",
  suspend: "a worker's machine stands still unnoticed, and its monotonic clock with it (point 3)",
  "restart-empty": "a node comes back without its keys before they have expired everywhere (point 4)",
  "power-loss": "a node loses power, and what it had not synced, and is back at once (point 4)",
  "fail-over": "a node's replica takes over without the master's last writes (points 4 and 7)",
  exchange: "a node's address leads to another, empty server (points 4 and 7)",
  eviction: "a node evicts a lock's key (point 5)",
  flush: "somebody empties a node or deletes a lock's key (point 5)",
} as const;

export type Allowance = keyof typeof ALLOWANCES;

const SEEN_BY_GUARD: readonly Allowance[] = ["restart-empty", "power-loss", "fail-over", "exchange", "flush"];

/** Whether the restart guard may be on in a search: lifted, some assumptions would show nothing under it. */
export function mayBeGuarded(allow: readonly Allowance[]): boolean {
  return !allow.some((allowance) => SEEN_BY_GUARD.includes(allowance));
}

export const ALLOWANCE_NAMES: readonly Allowance[] = Object.keys(ALLOWANCES).filter(isAllowance);

export function isAllowance(name: string): name is Allowance {
  return Object.hasOwn(ALLOWANCES, name);
}

/** @throws UsageError one sentence that names those there are. */
export function allowanceOf(name: string): Allowance {
  if (isAllowance(name)) return name;
  throw new UsageError(
    `No assumption is called ${JSON.stringify(name)}. There are: ${ALLOWANCE_NAMES.join(", ")}.`,
  );
}
