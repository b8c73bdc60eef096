/** A node's wall clock against true time: it runs at a rate and is stepped. Expiry runs by it. */

/** Rates count in whole parts per billion, so that whole milliseconds come out whole: 115 ms in 100 at 1.15. */
const RATE_ONE_PPB = 1_000_000_000;
const NS_PER_MS = 1_000_000;

export class NodeClock {
  #sinceMs = 0;
  #wallAtSinceMs = 0;
  #rate = 1;
  #ratePpb = RATE_ONE_PPB;

  get rate(): number {
    return this.#rate;
  }

  /** In whole nanoseconds: fractions that add up to a whole millisecond must not end just below it. */
  wallMs(atMs: number): number {
    const shownMs = this.#wallAtSinceMs + ((atMs - this.#sinceMs) * this.#ratePpb) / RATE_ONE_PPB;
    return Math.round(shownMs * NS_PER_MS) / NS_PER_MS;
  }

  /**
   * True time at which the clock shows `wallMs`, but not before its last change: what a step has skipped is
   * reached at the step. `Infinity` where the clock does not run forward.
   */
  reachesMs(wallMs: number): number {
    const aheadMs = wallMs - this.#wallAtSinceMs;
    if (aheadMs <= 0) return this.#sinceMs;
    return this.#rate > 0 ? this.#sinceMs + (aheadMs * RATE_ONE_PPB) / this.#ratePpb : Infinity;
  }

  jump(atMs: number, byMs: number): void {
    this.#wallAtSinceMs = this.wallMs(atMs) + byMs;
    this.#sinceMs = atMs;
  }

  setRate(atMs: number, rate: number): void {
    this.#wallAtSinceMs = this.wallMs(atMs);
    this.#sinceMs = atMs;
    this.#rate = rate;
    this.#ratePpb = Math.round(rate * RATE_ONE_PPB);
  }
}
