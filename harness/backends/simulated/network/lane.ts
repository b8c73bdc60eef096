/**
 * One direction of one connection: messages arrive in the order in which they were sent. When what held them up
 * is over, those under way come at once, as a proxy lets go of what it holds when its delay is taken off.
 */
import type { Act, EventQueue } from "../event-queue.ts";
import type { Wire } from "./wire.ts";

interface Message {
  readonly deliver: Act;
}

export class Lane {
  readonly #queue: EventQueue;
  readonly #wire: Wire;
  /** Sent and not yet arrived, in order. */
  readonly #underWay: Message[] = [];
  /** No message may arrive before the one that was sent before it. */
  #arrivesFromMs = 0;

  constructor(queue: EventQueue, wire: Wire) {
    this.#queue = queue;
    this.#wire = wire;
  }

  /** When a message that were sent now, without faults, would arrive behind the others. */
  get nextArrivalMs(): number {
    return Math.max(this.#queue.nowMs + this.#wire.drawBaseDelayMs(), this.#arrivesFromMs);
  }

  /** Lost ones never arrive. */
  send(deliver: Act): void {
    const travelMs = this.#wire.drawTravelMs();
    if (travelMs === undefined) return;
    const message: Message = { deliver };
    this.#underWay.push(message);
    this.#arrivesFromMs = Math.max(this.#queue.nowMs + travelMs, this.#arrivesFromMs);
    this.#queue.at(this.#arrivesFromMs, () => this.#arrive(message));
  }

  /** Nothing holds messages up any more: those under way arrive as soon as one that is sent now. */
  hurry(): void {
    const last = this.#underWay.at(-1);
    if (last === undefined) return;
    const atMs = this.#queue.nowMs + this.#wire.drawBaseDelayMs();
    if (atMs >= this.#arrivesFromMs) return;
    this.#arrivesFromMs = atMs;
    this.#queue.at(atMs, () => this.#arrive(last));
  }

  /** With all that was sent before it; harmless for one that has arrived. */
  #arrive(message: Message): void {
    const place = this.#underWay.indexOf(message);
    const arrived = this.#underWay.splice(0, place + 1);
    for (const { deliver } of arrived) deliver();
  }
}
