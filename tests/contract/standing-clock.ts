/**
 * A real server's wall clock that stands still, so that time passes there only where a sequence says so and every
 * lifetime can be compared to the millisecond. It is a piece of the lab's own clock that runs at the rate zero; how
 * the shim lets a clock run at other rates is tested in tests/local/.
 */
import { closeSync, openSync } from "node:fs";
import { publishSegment } from "../../harness/backends/real/clock/publish-segment.ts";

const NS_PER_MS = 1_000_000;

export class StandingClock {
  readonly #file: number;
  #generation = 0;
  #shownNs = 0n;
  #rate = 1;

  /** @param cell of a server whose clock nobody has moved yet. */
  constructor(cell: string) {
    this.#file = openSync(cell, "r+");
  }

  get shownMs(): number {
    return Number(this.#shownNs) / NS_PER_MS;
  }

  /** The clock shows this time and runs at rate 1 from now on. */
  set(shownMs: number): void {
    this.#rate = 1;
    this.show(shownMs);
  }

  setRate(rate: number): void {
    this.#rate = rate;
  }

  jump(byMs: number): void {
    this.show(this.shownMs + byMs);
  }

  /** As if so much true time had passed. */
  pass(durationMs: number): void {
    this.show(this.endOfPassMs(durationMs));
  }

  /** What the clock will show when so much true time has passed. */
  endOfPassMs(durationMs: number): number {
    return this.shownMs + durationMs * this.#rate;
  }

  show(shownMs: number): void {
    this.#shownNs = BigInt(Math.round(shownMs * NS_PER_MS));
    const segment = { anchorMonotonicNs: 0n, anchorShownNs: this.#shownNs, ratePpb: 0n };
    this.#generation = publishSegment(this.#file, segment, this.#generation);
  }

  close(): void {
    closeSync(this.#file);
  }
}
