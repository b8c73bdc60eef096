/** Gives a server that runs with the clock shim another piece of its clock. */
import { writeSync } from "node:fs";
import { GENERATION_AT, segmentBytes, segmentOffset } from "./clock-cell.ts";
import type { ClockSegment } from "./node-clock.ts";

const GENERATIONS = 256;

/**
 * The piece first, then the byte that makes it valid.
 *
 * @param file the open cell.
 * @param generation the one that is valid so far.
 * @returns the generation that is valid from now on.
 */
export function publishSegment(file: number, segment: ClockSegment, generation: number): number {
  const next = (generation + 1) % GENERATIONS;
  const bytes = segmentBytes(segment);
  writeSync(file, bytes, 0, bytes.length, segmentOffset(next));
  writeSync(file, Buffer.of(next), 0, 1, GENERATION_AT);
  return next;
}
