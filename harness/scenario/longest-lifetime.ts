import type { WorkerPlan } from "../workload/worker-plan.ts";

/** Where nobody asks for any, the least that there is. */
const LEAST_MS = 1;

/** The longest lifetime that anybody asks for, extensions included, in milliseconds. */
export function longestLifetimeMs({ workers }: { readonly workers: readonly WorkerPlan[] }): number {
  return Math.max(LEAST_MS, ...workers.map(({ ttlMs, extendMs }) => Math.max(ttlMs, extendMs)));
}
