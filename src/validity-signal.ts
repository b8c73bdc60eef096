import type { Belief } from "./core/belief.ts";
import { targetText } from "./target.ts";
import { overError } from "./over-error.ts";
import type { MonotonicClock, Timers } from "./ports/world.ts";

/**
 * The abort signal of one lock, made when somebody asks for it: most locks never need one, and it costs more
 * than the rest of the bookkeeping together.
 */
export class ValiditySignal {
  readonly #belief: Belief;
  readonly #clock: MonotonicClock;
  readonly #timers: Timers;
  #controller: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(belief: Belief, world: { readonly clock: MonotonicClock; readonly timers: Timers }) {
    this.#belief = belief;
    this.#clock = world.clock;
    this.#timers = world.timers;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#belief.onChange = this.#follow;
      this.#follow();
    }
    return this.#controller.signal;
  }

  /** Aborts if the belief is over, else looks again at its deadline. */
  readonly #follow = (): void => {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const leftMs = this.#belief.remainingMs(this.#clock.nowMs());
    if (leftMs > 0) {
      this.#cancelTimer = this.#timers.after(leftMs, this.#follow, { keepAlive: false });
      return;
    }
    this.#belief.onChange = undefined;
    this.#controller?.abort(overError(this.#belief.ending ?? "expired", targetText(this.#belief)));
  };
}
