import type { MonotonicClock } from "../ports/world.ts";

const NANOS_PER_MILLI = 1e6;
const MILLIS_PER_SECOND = 1e3;

/**
 * The process's monotonic clock in milliseconds. `process.hrtime` and not `performance.now()`: its origin is
 * the same for all processes of a machine, so that deadlines of different processes can be compared.
 *
 * Not here yet: noticing a machine that was suspended (design rule 1), by the gap between wall and monotonic
 * clock and `os.uptime()`.
 */
export const systemClock: MonotonicClock = {
  nowMs() {
    const [seconds, nanos] = process.hrtime();
    return seconds * MILLIS_PER_SECOND + nanos / NANOS_PER_MILLI;
  },
};
