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
const BASE: Slowness = { latencyMs: 2, jitterMs: 0.5 };

export class Wire {
  readonly #random: RandomStream;
  readonly #script: MessageScript | undefined;
  readonly #lostFor = new Set<string>();
  readonly #lossyFor = new Map<string, number>();
  readonly #slowFor = new Map<string, Slowness>();

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
    for (const slowness of this.#slowFor.values()) travelMs += this.#draw(slowness);
    return travelMs;
  }

  /** What a message would take without faults. */
  drawBaseDelayMs(): number {
    return this.#script?.promptMs ?? this.#draw(BASE);
  }

  lose(faultId: string): void {
    this.#lostFor.add(faultId);
  }

  /** @param share the probability with which a message is lost, above 0 and at most 1. */
  loseSome(faultId: string, share: number): void {
    this.#lossyFor.set(faultId, share);
  }

  slow(faultId: string, slowness: Slowness): void {
    this.#slowFor.set(faultId, slowness);
  }

  heal(faultId: string): void {
    this.#lostFor.delete(faultId);
    this.#lossyFor.delete(faultId);
    this.#slowFor.delete(faultId);
  }

  /** Nothing is drawn where no fault makes it uncertain. */
  #drawIsLost(): boolean {
    let isLost = this.#lostFor.size > 0;
    for (const share of this.#lossyFor.values()) isLost = this.#random.fraction() < share || isLost;
    return isLost;
  }

  #draw({ latencyMs, jitterMs }: Slowness): number {
    const least = ceilToGrain(latencyMs - jitterMs);
    if (jitterMs === 0) return least;
    return least + instantAt(this.#random.below(instantsWithin(2 * jitterMs)));
  }
}
