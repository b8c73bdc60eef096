/** Times that callers give: ranges, and one sentence for what is out of them. Pure. */
import { driftAllowanceMs } from "./core/validity.ts";
import type { Rules } from "./core/rules.ts";
import { shown } from "./known-options.ts";
import { misuse } from "./misuse.ts";
import type { GuardTerms } from "./ports/command.ts";

/** About 31 years; every sum of such times is still exact. */
const DURATION_MAX_MS = 1e12;

/** @throws RedlockError `misuse` for a TTL that is no whole number, leaves no validity, or is above the longest. */
export function assertTtl(
  ttlMs: unknown,
  { driftFactor, guard }: Pick<Rules, "driftFactor"> & { readonly guard?: GuardTerms | undefined },
): asserts ttlMs is number {
  if (!isWholeMs(ttlMs)) {
    throw misuse(`ttlMs must be a whole number of milliseconds from 1 to 1e12, not ${shown(ttlMs)}`);
  }
  if (guard !== undefined && ttlMs > guard.longestLifetimeMs) {
    throw misuse(
      `a ttlMs of ${String(ttlMs)} is above the longest lifetime of ${String(guard.longestLifetimeMs)} ms: raise restartGuard.longestLifetimeMs in all clients`,
    );
  }
  const driftMs = driftAllowanceMs(ttlMs, driftFactor);
  if (ttlMs <= driftMs) {
    throw misuse(
      `a ttlMs of ${String(ttlMs)} leaves no validity: the drift allowance alone is ${String(driftMs)} ms`,
    );
  }
}

/** @throws RedlockError `misuse` unless it is a number of milliseconds, `leastMs` at least. */
export function assertDuration(name: string, valueMs: unknown, leastMs: number): void {
  if (typeof valueMs === "number" && valueMs >= leastMs && valueMs <= DURATION_MAX_MS) return;
  const least = leastMs === Number.MIN_VALUE ? "above 0" : `from ${String(leastMs)}`;
  throw misuse(`${name} must be a number of milliseconds ${least} to 1e12, not ${shown(valueMs)}`);
}

/** Whole milliseconds from 1 to 1e12. */
export function isWholeMs(valueMs: unknown): valueMs is number {
  return (
    typeof valueMs === "number" && Number.isInteger(valueMs) && valueMs >= 1 && valueMs <= DURATION_MAX_MS
  );
}
