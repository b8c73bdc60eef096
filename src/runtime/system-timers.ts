import type { Timers } from "../ports/world.ts";
import { systemClock } from "./system-clock.ts";

/** The longest delay that Node's timers take; a longer wait is woken early and waits again. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

/** How soon after a suspension a timer rings that came due meanwhile; shorter ones are left to themselves. */
const TICK_MS = 100;

interface LongTimer {
  readonly dueAtMs: number;
  readonly callback: () => void;
  readonly keepAlive: boolean;
  handle: NodeJS.Timeout;
}

/**
 * Node's timers, which stand still while the machine is suspended: after that each would ring too late by as much.
 * While long ones are set, a tick that keeps no process alive looks whether the clock has moved on without them.
 */
class SystemTimers implements Timers {
  readonly #long = new Set<LongTimer>();
  #tick: NodeJS.Timeout | undefined;
  #tickDueAtMs = 0;

  after(delayMs: number, callback: () => void, { keepAlive }: { readonly keepAlive: boolean }): () => void {
    if (delayMs <= TICK_MS || !systemClock.notices) {
      const handle = setNodeTimer(delayMs, callback, keepAlive);
      return () => {
        clearTimeout(handle);
      };
    }
    const ring = (): void => {
      this.#forget(timer);
      callback();
    };
    const handle = setNodeTimer(delayMs, ring, keepAlive);
    const timer: LongTimer = { dueAtMs: systemClock.nowMs() + delayMs, callback: ring, keepAlive, handle };
    this.#long.add(timer);
    if (this.#tick === undefined) this.#startTick();
    return () => {
      clearTimeout(timer.handle);
      this.#forget(timer);
    };
  }

  #forget(timer: LongTimer): void {
    this.#long.delete(timer);
    if (this.#long.size > 0) return;
    clearTimeout(this.#tick);
    this.#tick = undefined;
  }

  #startTick(): void {
    this.#tickDueAtMs = systemClock.nowMs() + TICK_MS;
    this.#tick = setNodeTimer(TICK_MS, this.#onTick, false);
  }

  readonly #onTick = (): void => {
    const lateMs = systemClock.nowMs() - this.#tickDueAtMs;
    this.#startTick();
    // After a blocked event loop it is late too; then setting the timers anew does no harm.
    if (lateMs > TICK_MS) this.#setAnew();
  };

  #setAnew(): void {
    const nowMs = systemClock.nowMs();
    for (const timer of this.#long) {
      clearTimeout(timer.handle);
      timer.handle = setNodeTimer(timer.dueAtMs - nowMs, timer.callback, timer.keepAlive);
    }
  }
}

function setNodeTimer(delayMs: number, callback: () => void, keepAlive: boolean): NodeJS.Timeout {
  const handle = setTimeout(callback, Math.min(Math.max(Math.ceil(delayMs), 0), TIMER_MAX_MS));
  if (!keepAlive) handle.unref();
  return handle;
}

export const systemTimers: Timers = new SystemTimers();
