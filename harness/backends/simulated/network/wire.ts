/**
 * One direction of a link: how long a message takes, and whether it arrives at all. Faults lie on it under their
 * ids; each one's end leaves the others in force.
 */
import type { RandomStream } from "../../../random/random-stream.ts";
import type { MessageScript } from "./message-script.ts";
import { ceilToGrain, instantAt, instantsWithin } from "../virtual-time.ts";

/** How much longer each message takes: `latencyMs`, give or take `jitterMs`. */
export interface Slowness {
  readonly latencyMs: number;
  readonly jitterMs: number;
}

/** What every message takes one way: 2 ms, give or take half of one. */
const BASE_LEAST_MS = 1.5;
const BASE_INSTANT_COUNT = instantsWithin(1);

interface Faults {
  readonly lostFor: Set<string>;
  readonly lossyFor: Map<string, number>;
  readonly slowFor: Map<string, Slowness>;
}

export class Wire {
  readonly #random: RandomStream;
  readonly #script: MessageScript | undefined;
  /** Made when the first fault comes: most wires never have one, and a run has dozens of them. */
  #faults: Faults | undefined;

  /** @param script decides what becomes of each message, where nothing is left to chance. */
  constructor(random: RandomStream, script?: MessageScript) {
    this.#random = random;
    this.#script = script;
  }

  /** How long the next message takes; `undefined`: it is lost. */
  drawTravelMs(): number | undefined {
    const fate = this.#script?.nextFate() ?? "prompt";
    if (this.#drawIsLost() || fate === "lost") return undefined;
    let travelMs = fate === "late" ? (this.#script?.lateMs ?? 0) : this.drawBaseDelayMs();
    if (this.#faults === undefined) return travelMs;
    for (const slowness of this.#faults.slowFor.values()) travelMs += this.#draw(slowness);
    return travelMs;
  }

  /** What a message would take without faults. */
  drawBaseDelayMs(): number {
    return this.#script?.promptMs ?? BASE_LEAST_MS + instantAt(this.#random.below(BASE_INSTANT_COUNT));
  }

  lose(faultId: string): void {
    this.#faultsHere.lostFor.add(faultId);
  }

  /** @param share the probability with which a message is lost, above 0 and at most 1. */
  loseSome(faultId: string, share: number): void {
    this.#faultsHere.lossyFor.set(faultId, share);
  }

  slow(faultId: string, slowness: Slowness): void {
    this.#faultsHere.slowFor.set(faultId, slowness);
  }

  heal(faultId: string): void {
    this.#faults?.lostFor.delete(faultId);
    this.#faults?.lossyFor.delete(faultId);
    this.#faults?.slowFor.delete(faultId);
  }

  get #faultsHere(): Faults {
    this.#faults ??= { lostFor: new Set(), lossyFor: new Map(), slowFor: new Map() };
    return this.#faults;
  }

  /** Nothing is drawn where no fault makes it uncertain. */
  #drawIsLost(): boolean {
    if (this.#faults === undefined) return false;
    let isLost = this.#faults.lostFor.size > 0;
    for (const share of this.#faults.lossyFor.values()) isLost = this.#random.fraction() < share || isLost;
    return isLost;
  }

  #draw({ latencyMs, jitterMs }: Slowness): number {
    const least = ceilToGrain(latencyMs - jitterMs);
    if (jitterMs === 0) return least;
    return least + instantAt(this.#random.below(instantsWithin(2 * jitterMs)));
  }
}
