/**
 * A worker's process: its monotonic clock, its timers, and what arrives for it. While it is paused nothing of it
 * goes on and everything waits; when it goes on, timers that have come due and arrivals are taken in an order that
 * is drawn, because neither is certain to come first on a real machine. The dead do nothing.
 */
import type { WorkerId } from "../../../history/event.ts";
import type { RandomStream } from "../../../random/random-stream.ts";
import type { Act, EventQueue } from "../event-queue.ts";
import { ceilToGrain, instantAt, instantsWithin } from "../virtual-time.ts";

export interface VirtualProcessParts {
  readonly id: WorkerId;
  readonly queue: EventQueue;
  readonly random: RandomStream;
}

/** Process clocks begin anywhere: a time of one process means nothing to another, or to the run. */
const CLOCK_ORIGIN_MAX_MS = 100_000;

export class VirtualProcess {
  readonly id: WorkerId;
  readonly #queue: EventQueue;
  readonly #random: RandomStream;
  readonly #clockOriginMs: number;
  #state: "running" | "paused" | "dead" = "running";
  /** Where it stood when it was stopped, then what has come since; bounded by what is planned for it. */
  #held: Act[] = [];
  #dueTimers: Act[] = [];
  #arrivals: Act[] = [];

  constructor({ id, queue, random }: VirtualProcessParts) {
    this.id = id;
    this.#queue = queue;
    this.#random = random.fork("resumption");
    this.#clockOriginMs = instantAt(random.fork("clock").below(instantsWithin(CLOCK_ORIGIN_MAX_MS)));
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  /** The process's own monotonic clock. */
  nowMs(): number {
    return this.#clockOriginMs + this.#queue.nowMs;
  }

  /** The time of the run at which the process's clock shows `processMs`. */
  runTimeMs(processMs: number): number {
    return processMs - this.#clockOriginMs;
  }

  /** A timer: acts when the process's clock has come to `processMs`. */
  at(processMs: number, act: Act): void {
    this.#queue.at(ceilToGrain(this.runTimeMs(processMs)), () => {
      if (this.#state === "running") act();
      else if (this.#state === "paused") this.#dueTimers.push(act);
    });
  }

  /** Something has arrived for the process. */
  receive(act: Act): void {
    if (this.#state === "running") act();
    else if (this.#state === "paused") this.#arrivals.push(act);
  }

  /** Keeps what the process was about to do when it was stopped. */
  hold(act: Act): void {
    if (this.#state !== "dead") this.#held.push(act);
  }

  pause(): void {
    if (this.#state === "running") this.#state = "paused";
  }

  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "running";
    const [timers, arrivals] = [this.#dueTimers, this.#arrivals];
    const backlog = [
      ...this.#held,
      ...(this.#random.boolean() ? [...timers, ...arrivals] : [...arrivals, ...timers]),
    ];
    this.#held = [];
    this.#dueTimers = [];
    this.#arrivals = [];
    for (const act of backlog) {
      if (this.isRunning) act();
      else this.hold(act);
    }
  }

  kill(): void {
    this.#state = "dead";
    this.#held = [];
    this.#dueTimers = [];
    this.#arrivals = [];
  }
}
