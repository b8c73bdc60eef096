/**
 * A real server's wall clock that stands still, so that time passes there only where a sequence says so and every
 * lifetime can be compared to the millisecond. It is a piece of the lab's own clock that runs at the rate zero; how
 * the shim lets a clock run at other rates is tested in tests/local/.
 */
import { closeSync, openSync } from "node:fs";
import { publishSegment } from "../../harness/backends/local/publish-segment.ts";

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
    this.#show(nsFromMs(shownMs));
  }

  jump(byMs: number): void {
    this.#show(this.#shownNs + nsFromMs(byMs));
  }

  setRate(rate: number): void {
    this.#rate = rate;
  }

  /** As if so much true time had passed. */
  pass(durationMs: number): void {
    this.jump(durationMs * this.#rate);
  }

  close(): void {
    closeSync(this.#file);
  }

  #show(shownNs: bigint): void {
    this.#shownNs = shownNs;
    const segment = { anchorMonotonicNs: 0n, anchorShownNs: shownNs, ratePpb: 0n };
    this.#generation = publishSegment(this.#file, segment, this.#generation);
  }
}

function nsFromMs(durationMs: number): bigint {
  return BigInt(Math.round(durationMs * NS_PER_MS));
}
