const RECONNECT_BASE_MS = 10;
/** Doublings after which the cap has been reached. */
const DOUBLINGS_MAX = 10;

/** The longest pause between two tries to reach a node that is away. */
const RECONNECT_CAP_MS = 100;

/**
 * The pause before a try to reach a node again, in milliseconds. Pure: the laboratory's virtual clients wait as long.
 *
 * @param attempt counts from 1, and anew when a connection has stood.
 */
export function reconnectPauseMs(attempt: number): number {
  return Math.min(RECONNECT_BASE_MS * 2 ** Math.min(attempt, DOUBLINGS_MAX), RECONNECT_CAP_MS);
}
