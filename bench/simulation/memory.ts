/** Whether memory stays flat however many schedules are played. */
import { playReference } from "./reference-schedules.ts";

export interface MemoryUse {
  readonly scheduleCount: number;
  /** After a tenth of the schedules, and after all. */
  readonly earlyRssMb: number;
  readonly lateRssMb: number;
}

const BYTES_PER_MB = 2 ** 20;

export function measureMemory(scheduleCount: number): MemoryUse {
  const early = Math.ceil(scheduleCount / 10);
  for (let index = 0; index < early; index += 1) playReference(index);
  const earlyRssMb = process.memoryUsage.rss() / BYTES_PER_MB;
  for (let index = early; index < scheduleCount; index += 1) playReference(index);
  return { scheduleCount, earlyRssMb, lateRssMb: process.memoryUsage.rss() / BYTES_PER_MB };
}
