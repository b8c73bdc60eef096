/**
 * How long a lock may be believed in. Source: the Redlock algorithm, steps 3 and 4: the TTL, less the time
 * the round took, less an allowance for clocks that run apart.
 */

/** Redis expires keys with a grain of 1 ms; one grain is taken for the node and one for the holder. */
const EXPIRY_GRAINS_MS = 2;

/**
 * Time that a lock loses because the clocks of the nodes and of the holder run at different rates, in whole
 * milliseconds.
 *
 * @param driftFactor the share of the TTL to give up, 0 to 0.5.
 */
export function driftAllowanceMs(ttlMs: number, driftFactor: number): number {
  return Math.ceil(ttlMs * driftFactor) + EXPIRY_GRAINS_MS;
}

/**
 * The end of validity on the holder's monotonic clock. It counts from the moment before the first command
 * left: any later start would promise time that the first node's key does not have.
 */
export function deadlineOf(lock: {
  readonly startedAtMs: number;
  readonly ttlMs: number;
  readonly driftFactor: number;
}): number {
  return lock.startedAtMs + lock.ttlMs - driftAllowanceMs(lock.ttlMs, lock.driftFactor);
}
