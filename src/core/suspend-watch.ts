/**
 * Notices that the machine stood still, and for how long (design rule 1, scenario S04). While a machine is suspended
 * its monotonic clock stands still with it, and a holder that looks at nothing else believes in its lock for too
 * long. The tripwire is the gap between the wall and the monotonic clock, which is cheap to look at; a clock that
 * counts from the boot, and goes on meanwhile, tells a suspension from a step of the wall clock.
 *
 * Not noticed: a suspension during which the wall clock is set back by just as much, or one shorter than the grain of
 * the boot-time clock.
 */

/** The clocks of a machine, in milliseconds. */
export interface MachineClocks {
  readonly monotonicMs: () => number;
  readonly wallMs: () => number;
  /** Time since the boot, suspensions included; its grain may be 10 ms. */
  readonly bootMs: () => number;
}

/** How much more, or less, than the monotonic clock the wall clock may have moved between two looks. */
const TRIPWIRE_MS = 5;
/** What the boot-time clock and the reading of two clocks one after the other may be out by. */
const GRAIN_MS = 20;
/** Two readings further apart than this say nothing together: the process stood still between them. */
const READING_MAX_MS = 5;
const READINGS_MAX = 3;

/** Adds up the suspensions of a machine; it never takes one back. */
export class SuspendWatch {
  readonly #clocks: MachineClocks;
  #wallAheadMs: number;
  #bootAheadMs: number | undefined;
  #suspendedMs = 0;

  constructor(clocks: MachineClocks) {
    this.#clocks = clocks;
    this.#wallAheadMs = clocks.wallMs() - clocks.monotonicMs();
    this.#bootAheadMs = this.#readBootAheadMs();
  }

  /**
   * For how long the machine has stood still since this watch began, as far as it was noticed; rather too long than
   * too short.
   *
   * @param monotonicMs the monotonic clock, just read.
   */
  suspendedMs(monotonicMs: number): number {
    const wallAheadMs = this.#clocks.wallMs() - monotonicMs;
    const isTripped = Math.abs(wallAheadMs - this.#wallAheadMs) > TRIPWIRE_MS;
    if (!isTripped || this.#look()) this.#wallAheadMs = wallAheadMs;
    return this.#suspendedMs;
  }

  /** @returns false where the clocks could not be read together, and another look is needed. */
  #look(): boolean {
    const aheadMs = this.#readBootAheadMs();
    if (aheadMs === undefined) return false;
    this.#bootAheadMs ??= aheadMs;
    const suspendedMs = aheadMs - this.#bootAheadMs + GRAIN_MS;
    if (suspendedMs > this.#suspendedMs + GRAIN_MS) this.#suspendedMs = suspendedMs;
    return true;
  }

  #readBootAheadMs(): number | undefined {
    const { monotonicMs, bootMs } = this.#clocks;
    for (let count = 1; count <= READINGS_MAX; count++) {
      const beforeMs = monotonicMs();
      const bootTimeMs = bootMs();
      const afterMs = monotonicMs();
      if (afterMs - beforeMs <= READING_MAX_MS) return bootTimeMs - afterMs;
    }
    return undefined;
  }
}
