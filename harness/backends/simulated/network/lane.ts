/**
 * One direction of one connection: messages arrive in the order in which they were sent. When what held them up
 * is over, those under way come at once, as a proxy lets go of what it holds when its delay is taken off.
 */
import type { EventQueue } from "../event-queue.ts";
import type { Wire } from "./wire.ts";

export class Lane<Message> {
  readonly #queue: EventQueue;
  readonly #wire: Wire;
  readonly #deliver: (message: Message) => void;
  /** Sent and not yet arrived, in order. */
  readonly #underWay: Message[] = [];
  #sentCount = 0;
  #arrivedCount = 0;
  /** No message may arrive before the one that was sent before it. */
  #arrivesFromMs = 0;

  constructor(queue: EventQueue, wire: Wire, deliver: (message: Message) => void) {
    this.#queue = queue;
    this.#wire = wire;
    this.#deliver = deliver;
  }

  /** When a message that were sent now, without faults, would arrive behind the others. */
  get nextArrivalMs(): number {
    return Math.max(this.#queue.nowMs + this.#wire.drawBaseDelayMs(), this.#arrivesFromMs);
  }

  /** Lost ones never arrive. */
  send(message: Message): void {
    const travelMs = this.#wire.drawTravelMs();
    if (travelMs === undefined) return;
    this.#underWay.push(message);
    this.#sentCount += 1;
    this.#arrivesFromMs = Math.max(this.#queue.nowMs + travelMs, this.#arrivesFromMs);
    this.#queue.at(this.#arrivesFromMs, this.#arriveUpTo, this.#sentCount);
  }

  /** Nothing holds messages up any more: those under way arrive as soon as one that is sent now. */
  hurry(): void {
    if (this.#underWay.length === 0) return;
    const atMs = this.#queue.nowMs + this.#wire.drawBaseDelayMs();
    if (atMs >= this.#arrivesFromMs) return;
    this.#arrivesFromMs = atMs;
    this.#queue.at(atMs, this.#arriveUpTo, this.#sentCount);
  }

  /** Message number `count`, with all that was sent before it; harmless where it has arrived. */
  readonly #arriveUpTo = (count: number): void => {
    const arrivingCount = count - this.#arrivedCount;
    if (arrivingCount <= 0) return;
    this.#arrivedCount = count;
    if (arrivingCount > 1) {
      for (const message of this.#underWay.splice(0, arrivingCount)) this.#deliver(message);
      return;
    }
    const message = this.#underWay.shift();
    if (message !== undefined) this.#deliver(message);
  };
}
