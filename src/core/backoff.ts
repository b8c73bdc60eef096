/**
 * Waiting between attempts: exponential, capped, with full jitter, so that contenders who collided once do
 * not collide again in step (scenarios S21, S23).
 */

/** The bounds of the random wait between attempts. */
export interface Backoff {
  /** Upper end of the first wait, in milliseconds; above 0. */
  readonly baseMs: number;
  /** Upper end of every wait, in milliseconds; at least `baseMs`. */
  readonly capMs: number;
}

/** The grain of timers; a drawn 0 would let a prompt cluster be asked again in the same instant, for ever. */
const LEAST_MS = 1;
/** Doublings after which every cap that fits a timer has been reached. */
const DOUBLINGS_MAX = 31;

/**
 * The wait after a failed attempt, in milliseconds; 1 at least.
 *
 * @param attempt counts from 1.
 * @param fraction drawn uniformly from [0, 1).
 */
export function backoffMs(backoff: Backoff, attempt: number, fraction: number): number {
  const doublings = Math.min(attempt - 1, DOUBLINGS_MAX);
  return Math.max(LEAST_MS, fraction * Math.min(backoff.capMs, backoff.baseMs * 2 ** doublings));
}
