import type { WorkerPlan } from "../workload/worker-plan.ts";

/** The longest lifetime that anybody asks for, extensions included, in milliseconds. */
export function longestLifetimeMs({ workers }: { readonly workers: readonly WorkerPlan[] }): number {
  return Math.max(...workers.map(({ ttlMs, extendMs }) => Math.max(ttlMs, extendMs)));
}
