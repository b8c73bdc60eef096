import type { Subject } from "../subject.ts";
import { percentileOf } from "./percentile.ts";
import { freshResource, TTL_MS } from "./resources.ts";
import type { Tasks } from "./task.ts";

/** A service that has as many callers waiting turns further ones away. */
const IN_FLIGHT_MAX = 1000;
const MS_PER_S = 1000;

/** Operations arrive at a rate; how long each takes counts from when it was due. */
export async function runOpenLoop(
  subject: Subject,
  { ratePerS, durationMs }: Tasks["open-loop"]["ask"],
): Promise<Tasks["open-loop"]["result"]> {
  const arrivalCount = Math.floor((ratePerS * durationMs) / MS_PER_S);
  const startedAtMs = performance.now();
  const latencyMs: number[] = [];
  const ended: Promise<void>[] = [];
  let inFlight = 0;
  let droppedCount = 0;
  const arrive = async (dueAtMs: number): Promise<void> => {
    inFlight += 1;
    try {
      const giveBack = await subject.acquire(freshResource(), TTL_MS);
      await giveBack();
      latencyMs.push(performance.now() - dueAtMs);
    } catch {
      // Nobody contends: what is refused here was too late, and is as good as turned away.
      droppedCount += 1;
    }
    inFlight -= 1;
  };
  for (let arrived = 0; arrived < arrivalCount; ) {
    const dueCount = Math.floor(((performance.now() - startedAtMs) * ratePerS) / MS_PER_S);
    for (; arrived < Math.min(dueCount, arrivalCount); arrived++) {
      if (inFlight >= IN_FLIGHT_MAX) droppedCount += 1;
      else ended.push(arrive(startedAtMs + (arrived / ratePerS) * MS_PER_S));
    }
    await turn();
  }
  await Promise.all(ended);
  return { p50Ms: percentileOf(latencyMs, 0.5), p99Ms: percentileOf(latencyMs, 0.99), droppedCount };
}

/** One turn of the event loop; timers are too coarse for what arrives many times in a millisecond. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
