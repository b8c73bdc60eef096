import type { Subject } from "../subject.ts";
import { freshResource, TTL_MS } from "./resources.ts";
import type { Tasks } from "./task.ts";

/** The time until an acquire is refused. */
export async function runFail(
  subject: Subject,
  { attemptCount }: Tasks["fail"]["ask"],
): Promise<Tasks["fail"]["result"]> {
  const tookMs: number[] = [];
  let grantedCount = 0;
  for (let count = 0; count < attemptCount; count++) {
    const startedAtMs = performance.now();
    try {
      const giveBack = await subject.acquire(freshResource(), TTL_MS);
      grantedCount += 1;
      await giveBack();
    } catch {
      // Refused, as it has to be.
      tookMs.push(performance.now() - startedAtMs);
    }
  }
  return { tookMs, grantedCount };
}
