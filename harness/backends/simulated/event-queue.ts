/**
 * What is still to happen, ordered by time and, at one time, by the order in which it was planned: a binary heap
 * on typed arrays. The only clock of a simulated run; it moves when the next event is taken.
 */
import { InfrastructureError } from "../../lab-error.ts";

const CAPACITY_MIN = 128;
/** Events that may wait at once; more is a simulation that runs away. */
const PENDING_MAX = 2 ** 20;

export type Act = () => void;
/** What happens; it is given the number that it was planned with. */
type NumberedAct = (number: number) => void;

export class EventQueue {
  #atMs = new Float64Array(CAPACITY_MIN);
  #sequences = new Float64Array(CAPACITY_MIN);
  #numbers = new Float64Array(CAPACITY_MIN);
  readonly #acts: NumberedAct[] = [];
  #size = 0;
  #plannedCount = 0;
  #nowMs = 0;

  /** True time since the start of the run. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** When the next event comes; `Infinity` where there is none. */
  get nextAtMs(): number {
    return this.#size === 0 ? Infinity : (this.#atMs[0] ?? Infinity);
  }

  /** How many events have been planned so far. */
  get plannedCount(): number {
    return this.#plannedCount;
  }

  /**
   * Plans an event; one whose time has passed comes next, behind all that is due now.
   *
   * @param number tells events apart that share an act: a closure for each of them would take longer than the rest.
   */
  at(atMs: number, act: NumberedAct, number = 0): void {
    if (this.#size === this.#atMs.length) this.#grow();
    const sequence = this.#plannedCount;
    this.#plannedCount += 1;
    this.#size += 1;
    this.#raise(this.#size - 1, { atMs: Math.max(atMs, this.#nowMs), sequence, act, number });
  }

  /** Lets the next event happen. The queue must not be empty. */
  step(): void {
    const act = this.#acts[0];
    if (act === undefined) throw new Error("nothing is left to happen");
    const number = this.#numbers[0] ?? 0;
    this.#nowMs = this.nextAtMs;
    this.#removeFirst();
    act(number);
  }

  /** Lets time pass up to a moment before which nothing is to happen. */
  passTo(atMs: number): void {
    if (atMs > this.nextAtMs) throw new Error(`an event at ${this.nextAtMs} would be passed over`);
    this.#nowMs = Math.max(this.#nowMs, atMs);
  }

  #removeFirst(): void {
    this.#size -= 1;
    const last = this.#size;
    const atMs = this.#atMs[last] ?? 0;
    const sequence = this.#sequences[last] ?? 0;
    const number = this.#numbers[last] ?? 0;
    const act = this.#acts.pop();
    if (last > 0 && act !== undefined) this.#sink({ atMs, sequence, act, number });
  }

  /** Moves the hole at `index` up until the event fits in. */
  #raise(index: number, event: Planned): void {
    let hole = index;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!this.#isBefore(event, parent)) break;
      this.#move(parent, hole);
      hole = parent;
    }
    this.#put(hole, event);
  }

  /** Moves the hole at the top down until the event fits in. */
  #sink(event: Planned): void {
    let hole = 0;
    for (let child = 1; child < this.#size; child = 2 * hole + 1) {
      if (child + 1 < this.#size && this.#isOrdered(child + 1, child)) child += 1;
      if (this.#isBefore(event, child)) break;
      this.#move(child, hole);
      hole = child;
    }
    this.#put(hole, event);
  }

  #isBefore({ atMs, sequence }: Planned, index: number): boolean {
    const otherAtMs = this.#atMs[index] ?? 0;
    return atMs < otherAtMs || (atMs === otherAtMs && sequence < (this.#sequences[index] ?? 0));
  }

  #isOrdered(left: number, right: number): boolean {
    const leftAtMs = this.#atMs[left] ?? 0;
    const rightAtMs = this.#atMs[right] ?? 0;
    if (leftAtMs !== rightAtMs) return leftAtMs < rightAtMs;
    return (this.#sequences[left] ?? 0) < (this.#sequences[right] ?? 0);
  }

  #move(from: number, to: number): void {
    this.#atMs[to] = this.#atMs[from] ?? 0;
    this.#sequences[to] = this.#sequences[from] ?? 0;
    this.#numbers[to] = this.#numbers[from] ?? 0;
    const act = this.#acts[from];
    if (act !== undefined) this.#acts[to] = act;
  }

  #put(index: number, { atMs, sequence, act, number }: Planned): void {
    this.#atMs[index] = atMs;
    this.#sequences[index] = sequence;
    this.#numbers[index] = number;
    this.#acts[index] = act;
  }

  #grow(): void {
    const capacity = 2 * this.#atMs.length;
    if (capacity > PENDING_MAX) {
      throw new InfrastructureError(`The simulation runs away: more than ${PENDING_MAX} events wait.`);
    }
    this.#atMs = copyInto(capacity, this.#atMs);
    this.#sequences = copyInto(capacity, this.#sequences);
    this.#numbers = copyInto(capacity, this.#numbers);
  }
}

function copyInto(capacity: number, from: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(capacity);
  copy.set(from);
  return copy;
}

interface Planned {
  readonly atMs: number;
  readonly sequence: number;
  readonly number: number;
  readonly act: NumberedAct;
}
