import type { LockNode } from "../ports/node.ts";
import type { World } from "./run.ts";
import { systemClock } from "./system-clock.ts";
import { systemEntropy } from "./system-entropy.ts";
import { systemTimers } from "./system-timers.ts";

/** The process as the world of the procedures. */
export function systemWorld(nodes: readonly LockNode[]): World {
  return {
    nodes,
    clock: systemClock,
    timers: systemTimers,
    entropy: systemEntropy,
    // Looked up at each call, so that a test can put its own in its place.
    afterArrivals: (callback) => {
      setImmediate(callback);
    },
  };
}
