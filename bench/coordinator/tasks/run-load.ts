import type { Subject } from "../subject.ts";
import { startCpuTime } from "./cpu-time.ts";
import { freshResource, TTL_MS } from "./resources.ts";
import type { Tasks } from "./task.ts";

const MS_PER_S = 1000;

/** So many at once, each followed by the next. */
export async function runLoad(
  subject: Subject,
  { concurrency, durationMs }: Tasks["load"]["ask"],
): Promise<Tasks["load"]["result"]> {
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + durationMs;
  const cpu = startCpuTime();
  let opCount = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAtMs) {
      const giveBack = await subject.acquire(freshResource(), TTL_MS);
      await giveBack();
      opCount += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const elapsedMs = performance.now() - startedAtMs;
  return { opsPerS: (opCount / elapsedMs) * MS_PER_S, cpuPerOpUs: cpu.usedUs() / opCount };
}
