/**
 * What no simulation can be faster than on this machine: the same number of events through the same queue, and
 * nothing in them but the planning of the next. Each has a closure of its own, as what happens in a simulation has.
 */
import { EventQueue } from "../../harness/backends/simulated/event-queue.ts";

/** As many events wait at once as in the reference schedule. */
const PENDING_COUNT = 24;
/** Spread the times, so that the heap has something to sort. */
const STRIDE = 7;
const SPAN_MS = 97;

/** Plays one schedule of `eventCount` events. */
export function playBareLoop(eventCount: number): void {
  const queue = new EventQueue();
  let plannedCount = 0;
  const plan = (): void => {
    if (plannedCount === eventCount) return;
    plannedCount += 1;
    queue.at(queue.nowMs + ((plannedCount * STRIDE) % SPAN_MS), () => plan());
  };
  for (let index = 0; index < PENDING_COUNT; index += 1) plan();
  for (let left = eventCount; left > 0; left -= 1) queue.step();
}
