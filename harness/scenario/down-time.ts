/** How long a node that was killed stays away. */
import type { LabSettings } from "./lab-settings.ts";

/** Redis expires keys with a grain of 1 ms, and the lab's timers may be early by as much. */
const MARGIN_MS = 50;

/**
 * The delayed restart: a node that has forgotten its keys may answer again when no lock is left that it could have
 * voted for. Counted from the crash on, a lifetime is enough; its clock may be slow by the drift.
 */
export function downTimeMs({ restartAfterMs, delayedRestart, ttlMs, driftFactor }: LabSettings): number {
  if (!delayedRestart) return restartAfterMs;
  return restartAfterMs + ttlMs + Math.ceil(ttlMs * driftFactor) + MARGIN_MS;
}
