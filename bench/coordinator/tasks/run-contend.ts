import { setTimeout as delay } from "node:timers/promises";
import type { Subject } from "../subject.ts";
import { TTL_MS } from "./resources.ts";
import type { Tasks } from "./task.ts";

/** All want the same resource; each holds it for a moment and wants it again. */
export async function runContend(
  subject: Subject,
  { resource, contenderCount, durationMs, holdMs }: Tasks["contend"]["ask"],
): Promise<Tasks["contend"]["result"]> {
  const endsAtMs = performance.now() + durationMs;
  const contend = async (): Promise<number> => {
    let grantCount = 0;
    while (performance.now() < endsAtMs) {
      const giveBack = await subject.acquire(resource, TTL_MS);
      // What is granted after the end is given back and not counted: the last ones have nobody to contend with.
      if (performance.now() < endsAtMs) grantCount += 1;
      await delay(holdMs);
      await giveBack();
    }
    return grantCount;
  };
  return { grantCounts: await Promise.all(Array.from({ length: contenderCount }, contend)) };
}
