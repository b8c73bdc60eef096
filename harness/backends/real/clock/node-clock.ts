/**
 * The wall clock of one node as a function of the host's CLOCK_MONOTONIC: a line that has a new piece wherever
 * the laboratory moved the clock. The shim computes the same function, so stamps of a node are turned into the
 * host's time exactly. Pure: all times are given.
 */

/** Rates are whole parts per billion: what the shim computes with. */
export const RATE_ONE_PPB = 1_000_000_000n;

export interface ClockSegment {
  /** From this monotonic time on. */
  readonly anchorMonotonicNs: bigint;
  /** What the node's wall clock shows then, since the Unix epoch. */
  readonly anchorShownNs: bigint;
  /** Shown nanoseconds per 10^9 monotonic ones. */
  readonly ratePpb: bigint;
}

export interface NodeClock {
  /** Pieces in the order of their anchors; the first also stands for the time before it. */
  readonly segments: readonly [ClockSegment, ...ClockSegment[]];
}

export function startNodeClock(anchor: {
  readonly anchorMonotonicNs: bigint;
  readonly anchorShownNs: bigint;
}): NodeClock {
  return { segments: [{ ...anchor, ratePpb: RATE_ONE_PPB }] };
}

/** Steps the clock by whole milliseconds, back where negative. */
export function jumpClock(clock: NodeClock, { byMs, nowNs }: { byMs: number; nowNs: bigint }): NodeClock {
  const last = lastSegment(clock);
  const anchorShownNs = shownInSegment(last, nowNs) + BigInt(Math.round(byMs * 1e6));
  return addSegment(clock, { ...last, anchorMonotonicNs: nowNs, anchorShownNs });
}

/** Lets the clock run at another rate from now on, without a step. */
export function setClockRate(clock: NodeClock, { rate, nowNs }: { rate: number; nowNs: bigint }): NodeClock {
  const anchorShownNs = shownInSegment(lastSegment(clock), nowNs);
  return addSegment(clock, { anchorMonotonicNs: nowNs, anchorShownNs, ratePpb: ratePpbFrom(rate) });
}

export function shownAt(clock: NodeClock, monotonicNs: bigint): bigint {
  const segment =
    clock.segments.findLast(({ anchorMonotonicNs }) => anchorMonotonicNs <= monotonicNs) ?? clock.segments[0];
  return shownInSegment(segment, monotonicNs);
}

/**
 * When a stamp of the node was made. After a step back one stamp stands for several times; the latest that is
 * not after `arrivedNs`, the time at which the stamp was received, is taken: stamps arrive within a millisecond.
 * A stamp that no time explains counts as made on arrival.
 */
export function monotonicFromShown(
  clock: NodeClock,
  { shownNs, arrivedNs }: { shownNs: bigint; arrivedNs: bigint },
): bigint {
  for (let index = clock.segments.length - 1; index >= 0; index--) {
    const segment = clock.segments[index];
    if (segment === undefined || segment.anchorMonotonicNs > arrivedNs) continue;
    const at = unshownInSegment(segment, shownNs);
    const isInside = at >= segment.anchorMonotonicNs || index === 0;
    if (isInside && at <= arrivedNs) return at;
  }
  return arrivedNs;
}

export function lastSegment({ segments }: NodeClock): ClockSegment {
  return segments.at(-1) ?? segments[0];
}

export function ratePpbFrom(rate: number): bigint {
  if (!(rate > 0 && rate <= 100))
    throw new RangeError(`a clock rate must be above 0 and at most 100: ${rate}`);
  return BigInt(Math.round(rate * Number(RATE_ONE_PPB)));
}

function addSegment(clock: NodeClock, segment: ClockSegment): NodeClock {
  return { segments: [...clock.segments, segment] };
}

function shownInSegment(segment: ClockSegment, monotonicNs: bigint): bigint {
  const passedNs = monotonicNs - segment.anchorMonotonicNs;
  return segment.anchorShownNs + (passedNs * segment.ratePpb) / RATE_ONE_PPB;
}

function unshownInSegment(segment: ClockSegment, shownNs: bigint): bigint {
  return segment.anchorMonotonicNs + ((shownNs - segment.anchorShownNs) * RATE_ONE_PPB) / segment.ratePpb;
}
