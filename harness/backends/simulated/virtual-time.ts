/**
 * Virtual time. It moves in eighths of a millisecond, which are exact in binary: sums and comparisons of times
 * never round, and a deadline is reached at the instant that was computed for it.
 */

const GRAINS_PER_MS = 8;

/** The first instant that is not before `ms`: a timer is never early. */
export function ceilToGrain(ms: number): number {
  return Math.ceil(ms * GRAINS_PER_MS) / GRAINS_PER_MS;
}

/** So many different instants lie within `spanMs`, both ends included. */
export function instantsWithin(spanMs: number): number {
  return Math.floor(spanMs * GRAINS_PER_MS) + 1;
}

/** The instant number `index` after zero. */
export function instantAt(index: number): number {
  return index / GRAINS_PER_MS;
}
