/**
 * The layout of the file through which the laboratory and the clock shim talk; clock-shim.c repeats it. Pure:
 * numbers to bytes and back. All numbers are little-endian.
 */
import type { ClockSegment } from "./node-clock.ts";

export const CELL_BYTES = 4096;
export const SEGMENT_BYTES = 24;
export const SYNCED_BYTES = 8;

/** Offsets in the file. Bytes, not words, where both sides look while the other writes. */
export const GENERATION_AT = 8;
export const HOLD_SYNC_AT = 9;
export const SYNCED_AT = 16;
const SEGMENTS_AT = 64;
const SEGMENT_STRIDE = 64;

const MAGIC = 0x314b434f4c444552n;
const LENGTH_BITS = 44n;

/** How much of which append-only file is on disk. */
export interface SyncedLength {
  /** The N of `appendonly.aof.N.incr.aof`, at least 1. */
  readonly fileSequence: number;
  readonly bytes: number;
}

/** A cell in generation 0 with nothing synced. */
export function newCell(segment: ClockSegment): Buffer {
  const cell = Buffer.alloc(CELL_BYTES);
  cell.writeBigUInt64LE(MAGIC, 0);
  segmentBytes(segment).copy(cell, segmentOffset(0));
  return cell;
}

export function segmentBytes(segment: ClockSegment): Buffer {
  const bytes = Buffer.alloc(SEGMENT_BYTES);
  bytes.writeBigInt64LE(segment.anchorMonotonicNs, 0);
  bytes.writeBigInt64LE(segment.anchorShownNs, 8);
  bytes.writeBigInt64LE(segment.ratePpb, 16);
  return bytes;
}

/** Generations take turns between two places, so that a reader never meets a piece half written. */
export function segmentOffset(generation: number): number {
  return SEGMENTS_AT + (generation % 2) * SEGMENT_STRIDE;
}

/** @returns `undefined` while no sync has completed. */
export function syncedLengthFrom(bytes: Buffer): SyncedLength | undefined {
  const packed = bytes.readBigUInt64LE(0);
  if (packed === 0n) return undefined;
  return {
    fileSequence: Number(packed >> LENGTH_BITS),
    bytes: Number(packed & ((1n << LENGTH_BITS) - 1n)),
  };
}
