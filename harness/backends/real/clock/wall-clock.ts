/** Reads the host's wall clock against CLOCK_MONOTONIC more finely than the millisecond of `Date.now()`. */

export interface WallClockReading {
  readonly anchorMonotonicNs: bigint;
  /** Since the Unix epoch. */
  readonly anchorShownNs: bigint;
  /** The monotonic instant of the tick lies at most this long before the anchor. */
  readonly uncertaintyNs: bigint;
}

const TICKS = 3;
/** A tick comes each millisecond; a machine this busy gives a coarser reading instead of none. */
const READS_MAX = 200_000;

/** Waits for the instants at which the millisecond changes, and keeps the one that was caught best. */
export function readWallClock(): WallClockReading {
  let best = catchTick();
  for (let tick = 1; tick < TICKS; tick++) {
    const next = catchTick();
    if (next.uncertaintyNs < best.uncertaintyNs) best = next;
  }
  return best;
}

function catchTick(): WallClockReading {
  const firstMs = Date.now();
  let beforeNs = process.hrtime.bigint();
  for (let reads = 0; reads < READS_MAX; reads++) {
    const shownMs = Date.now();
    const afterNs = process.hrtime.bigint();
    if (shownMs !== firstMs) {
      return {
        anchorMonotonicNs: afterNs,
        anchorShownNs: BigInt(shownMs) * 1_000_000n,
        uncertaintyNs: afterNs - beforeNs,
      };
    }
    beforeNs = afterNs;
  }
  return {
    anchorMonotonicNs: beforeNs,
    anchorShownNs: BigInt(firstMs) * 1_000_000n,
    uncertaintyNs: 1_000_000n,
  };
}
