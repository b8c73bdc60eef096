import { uptime } from "node:os";
import { SuspendWatch } from "../core/suspend-watch.ts";
import type { MonotonicClock } from "../ports/world.ts";

const NANOS_PER_MILLI = 1e6;
const MILLIS_PER_SECOND = 1e3;

/**
 * The process's monotonic clock in milliseconds, which counts the time too for which the machine was suspended
 * (design rule 1), so that a lock ends whose validity went by meanwhile. `process.hrtime` and not
 * `performance.now()`: its origin is the same for all processes of a machine, so that deadlines of different
 * processes can be compared.
 *
 * Suspensions are noticed on Linux, where `os.uptime()` goes on meanwhile. Elsewhere it depends on whether the
 * system's own monotonic clock does.
 */
class SystemClock implements MonotonicClock {
  readonly #watch = process.platform === "linux" ? watchMachine() : undefined;

  nowMs(): number {
    const monotonicMs = readMonotonicMs();
    return this.notices ? monotonicMs + (this.#watch?.suspendedMs(monotonicMs) ?? 0) : monotonicMs;
  }

  /** A clock that somebody has put in place of the machine's says nothing of the machine. */
  get notices(): boolean {
    return this.#watch !== undefined && process.hrtime === MACHINE_HRTIME;
  }
}

const MACHINE_HRTIME = process.hrtime;

function readMonotonicMs(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * MILLIS_PER_SECOND + nanos / NANOS_PER_MILLI;
}

function watchMachine(): SuspendWatch {
  return new SuspendWatch({
    monotonicMs: readMonotonicMs,
    wallMs: () => Date.now(),
    bootMs: () => uptime() * MILLIS_PER_SECOND,
  });
}

export const systemClock = new SystemClock();
