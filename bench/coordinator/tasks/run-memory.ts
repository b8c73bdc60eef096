import type { Subject } from "../subject.ts";
import { freshResource, TTL_MS } from "./resources.ts";
import type { Tasks } from "./task.ts";

const BYTES_PER_MB = 2 ** 20;

/** The heap after a collection, looked at again and again while many locks come and go. */
export async function runMemory(
  subject: Subject,
  { opCount, sampleCount, concurrency }: Tasks["memory"]["ask"],
): Promise<Tasks["memory"]["result"]> {
  const heapMb: number[] = [];
  let failedCount = 0;
  const opsPerLane = Math.floor(opCount / sampleCount / concurrency);
  const lane = async (): Promise<void> => {
    for (let count = 0; count < opsPerLane; count++) {
      try {
        const giveBack = await subject.acquire(freshResource(), TTL_MS);
        await giveBack();
      } catch {
        // Counted: with a majority there it should not be.
        failedCount += 1;
      }
    }
  };
  for (let sample = 0; sample < sampleCount; sample++) {
    await Promise.all(Array.from({ length: concurrency }, lane));
    collectGarbage();
    heapMb.push(process.memoryUsage().heapUsed / BYTES_PER_MB);
  }
  return { heapMb, failedCount };
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error("the process was started without --expose-gc");
  globalThis.gc();
}
