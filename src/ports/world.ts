/** What the real driver needs from the process around it; unit tests give their own. */

/** A clock that is never stepped. */
export interface MonotonicClock {
  /** Milliseconds on a clock that is never stepped; the origin is that of `process.hrtime`. */
  nowMs(): number;
}

/** One-shot timers. */
export interface Timers {
  /**
   * Calls back once, `delayMs` or more from now. `keepAlive: false` lets the process end before.
   *
   * @returns a function that cancels the call; harmless afterwards.
   */
  after(delayMs: number, callback: () => void, options: { readonly keepAlive: boolean }): () => void;
}

/** Where random numbers come from. */
export interface Entropy {
  /** A fresh owner value of at least 128 random bits. */
  value(): string;
  /** Uniform in [0, 1). */
  fraction(): number;
}
