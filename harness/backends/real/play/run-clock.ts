/**
 * The run's time axis: milliseconds since its origin on the host's monotonic clock, which all processes of
 * the host share.
 */
const NANOS_PER_MILLI = 1e6;

export class RunClock {
  readonly originNs: bigint;

  constructor(originNs: bigint) {
    this.originNs = originNs;
  }

  nowMs(): number {
    return this.fromNs(process.hrtime.bigint());
  }

  fromNs(atNs: bigint): number {
    return Number(atNs - this.originNs) / NANOS_PER_MILLI;
  }

  /** From milliseconds on the clock of `process.hrtime`, as the coordinator gives its deadlines. */
  fromMonotonicMs(atMs: number): number {
    return atMs - Number(this.originNs) / NANOS_PER_MILLI;
  }
}
