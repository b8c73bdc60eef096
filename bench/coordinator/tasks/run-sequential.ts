import type { Subject } from "../subject.ts";
import { startCpuTime } from "./cpu-time.ts";
import { percentileOf } from "./percentile.ts";
import { freshResource, TTL_MS } from "./resources.ts";
import type { Tasks } from "./task.ts";

/** One acquire and release after the other. */
export async function runSequential(
  subject: Subject,
  { opCount }: Tasks["sequential"]["ask"],
): Promise<Tasks["sequential"]["result"]> {
  const opMs: number[] = [];
  const acquireMs: number[] = [];
  const cpu = startCpuTime();
  for (let count = 0; count < opCount; count++) {
    const startedAtMs = performance.now();
    const giveBack = await subject.acquire(freshResource(), TTL_MS);
    acquireMs.push(performance.now() - startedAtMs);
    await giveBack();
    opMs.push(performance.now() - startedAtMs);
  }
  return {
    cpuPerOpUs: cpu.usedUs() / opCount,
    opP50Ms: percentileOf(opMs, 0.5),
    opP99Ms: percentileOf(opMs, 0.99),
    acquireP50Ms: percentileOf(acquireMs, 0.5),
    acquireP99Ms: percentileOf(acquireMs, 0.99),
  };
}
