import type { Timers } from "../ports/world.ts";

/** The longest delay that Node's timers take; a longer wait is woken early and waits again. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(delayMs, callback, { keepAlive }) {
    const timer = setTimeout(callback, Math.min(Math.max(Math.ceil(delayMs), 0), TIMER_MAX_MS));
    if (!keepAlive) timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
