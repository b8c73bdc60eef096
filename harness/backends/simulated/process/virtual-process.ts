/**
 * A worker's process: the clocks of its machine, its timers, and what arrives for it. While it stands still
 * nothing of it goes on and everything waits; when it goes on, timers that have come due and arrivals are taken in
 * an order that is drawn where nobody has fixed it, because neither is certain to come first on a real machine.
 * The dead do nothing.
 */
import type { WorkerId } from "../../../history/event.ts";
import { SuspendWatch } from "../../../../src/core/suspend-watch.ts";
import { NodeClock } from "../../../history/node-clock.ts";
import type { RandomStream } from "../../../random/random-stream.ts";
import type { Act, EventQueue } from "../event-queue.ts";
import { ceilToGrain, instantAt, instantsWithin } from "../virtual-time.ts";

/** A clock as a procedure of the process reads it. */
export interface ProcessClock {
  nowMs(): number;
  /** The time of the run at which the clock shows `clockMs`; `Infinity` while that is unknown. */
  runTimeMs(clockMs: number): number;
  /** A timer that is set for when the clock shows `clockMs`. */
  at(clockMs: number, act: Act): void;
}

export interface VirtualProcessParts {
  readonly id: WorkerId;
  readonly queue: EventQueue;
  readonly random: RandomStream;
}

interface Timer {
  processMs: number;
  /** Comes due so much earlier as the machine was suspended meanwhile. */
  readonly countsSuspensions: boolean;
  readonly act: Act;
}

/** Process clocks begin anywhere: a time of one process means nothing to another, or to the run. */
const CLOCK_ORIGIN_MAX_MS = 100_000;

export class VirtualProcess implements ProcessClock {
  readonly id: WorkerId;
  readonly #queue: EventQueue;
  readonly #random: RandomStream;
  readonly #monotonic = new NodeClock();
  readonly #wall = new NodeClock();
  /** Time since the boot: as the monotonic clock, but it goes on while the machine is suspended. */
  readonly #boot = new NodeClock();
  #rate = 1;
  #isPaused = false;
  #isSuspended = false;
  #suspendedAtBootMs = 0;
  #isDead = false;
  /** What it takes first when it goes on; drawn where it is not given. */
  #resumeWith: "timers" | "replies" | undefined;
  /** Timers that have not come due; planned anew whenever a clock is disturbed. */
  readonly #timers = new Set<Timer>();
  #clockGeneration = 0;
  /** Where it stood when it was stopped, then what has come since; bounded by what is planned for it. */
  #held: Act[] = [];
  #dueTimers: Act[] = [];
  #arrivals: Act[] = [];
  readonly #clockListeners = new Set<() => void>();

  constructor({ id, queue, random }: VirtualProcessParts) {
    this.id = id;
    this.#queue = queue;
    this.#random = random.fork("resumption");
    const originMs = instantAt(random.fork("clock").below(instantsWithin(CLOCK_ORIGIN_MAX_MS)));
    this.#monotonic.jump(0, originMs);
    this.#wall.jump(0, originMs);
    this.#boot.jump(0, originMs);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  get isRunning(): boolean {
    return !(this.#isPaused || this.#isSuspended || this.#isDead);
  }

  /** The monotonic clock of the machine: it stands still while the machine is suspended. */
  nowMs(): number {
    return this.#monotonic.wallMs(this.#queue.nowMs);
  }

  /** The wall clock of the machine: it can be stepped, and goes on while the machine is suspended. */
  wallMs(): number {
    return this.#wall.wallMs(this.#queue.nowMs);
  }

  /**
   * The wall clock, for procedures that read it. Their timers are set as programs set them: for how long it is
   * until then, on the monotonic clock.
   */
  get wallClock(): ProcessClock {
    return {
      nowMs: () => this.wallMs(),
      runTimeMs: (clockMs) => this.#wall.reachesMs(clockMs),
      at: (clockMs, act) => this.at(this.nowMs() + Math.max(0, clockMs - this.wallMs()), act),
    };
  }

  /**
   * The clock that the coordinator reads where suspensions can be noticed. Timers that a suspension held up ring
   * when the machine goes on.
   */
  get noticingClock(): ProcessClock {
    const watch = new SuspendWatch({
      monotonicMs: () => this.nowMs(),
      wallMs: () => this.wallMs(),
      bootMs: () => this.#bootMs(),
    });
    /** How much more than the time since the boot it showed when the process looked last: a suspension is rounded up. */
    let aheadMs = 0;
    const nowMs = (): number => {
      const shownMs = this.nowMs() + watch.suspendedMs(this.nowMs());
      aheadMs = shownMs - this.#bootMs();
      return shownMs;
    };
    return {
      nowMs,
      runTimeMs: (clockMs) => this.#boot.reachesMs(clockMs - aheadMs),
      at: (clockMs, act) =>
        this.#set({ processMs: this.nowMs() + Math.max(0, clockMs - nowMs()), countsSuspensions: true, act }),
    };
  }

  /** The time of the run at which the monotonic clock shows `processMs`; `Infinity` while that is unknown. */
  runTimeMs(processMs: number): number {
    return this.#monotonic.reachesMs(processMs);
  }

  /** A timer: acts when the monotonic clock has come to `processMs`. */
  at(processMs: number, act: Act): void {
    this.#set({ processMs, countsSuspensions: false, act });
  }

  /** Something has arrived for the process. */
  receive(act: Act): void {
    if (this.isRunning) act();
    else if (!this.#isDead) this.#arrivals.push(act);
  }

  /** Keeps what the process was about to do when it was stopped. */
  hold(act: Act): void {
    if (!this.#isDead) this.#held.push(act);
  }

  pause(resumeWith?: "timers" | "replies"): void {
    if (this.#isDead) return;
    this.#isPaused = true;
    this.#resumeWith = resumeWith;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#goOn();
  }

  /** The machine stands still, and its monotonic clock with it. */
  suspend(): void {
    if (this.#isDead || this.#isSuspended) return;
    this.#isSuspended = true;
    this.#suspendedAtBootMs = this.#bootMs();
    this.#disturb(() => this.#monotonic.setRate(this.#queue.nowMs, 0));
  }

  wake(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    const stoodStillMs = this.#bootMs() - this.#suspendedAtBootMs;
    for (const timer of this.#timers) if (timer.countsSuspensions) timer.processMs -= stoodStillMs;
    this.#disturb(() => this.#monotonic.setRate(this.#queue.nowMs, this.#rate));
    this.#tellListeners();
    this.#goOn();
  }

  /** Steps the wall clock; the monotonic one is never stepped. */
  jumpWall(byMs: number): void {
    this.#wall.jump(this.#queue.nowMs, byMs);
    this.#tellListeners();
  }

  /** Changes how fast the machine's clocks run; 1 is exact. */
  setClockRate(rate: number): void {
    this.#rate = rate;
    this.#wall.setRate(this.#queue.nowMs, rate);
    this.#boot.setRate(this.#queue.nowMs, rate);
    if (this.#isSuspended) return;
    this.#disturb(() => this.#monotonic.setRate(this.#queue.nowMs, rate));
    this.#tellListeners();
  }

  /** Calls back when times of the process have moved on the axis of the run, until the returned function is called. */
  onClockMoved(listener: () => void): () => void {
    this.#clockListeners.add(listener);
    return () => this.#clockListeners.delete(listener);
  }

  kill(): void {
    this.#isDead = true;
    this.#held = [];
    this.#dueTimers = [];
    this.#arrivals = [];
    this.#timers.clear();
  }

  #bootMs(): number {
    return this.#boot.wallMs(this.#queue.nowMs);
  }

  #set(timer: Timer): void {
    this.#timers.add(timer);
    this.#plan(timer);
  }

  #goOn(): void {
    if (!this.isRunning) return;
    const [held, timers, arrivals] = [this.#held, this.#dueTimers, this.#arrivals];
    const timersFirst =
      this.#resumeWith === undefined ? this.#random.boolean() : this.#resumeWith === "timers";
    this.#held = [];
    this.#dueTimers = [];
    this.#arrivals = [];
    for (const act of held) this.#takeUp(act);
    // What it went on with may have set timers for times that have passed.
    const due = timersFirst ? [...timers, ...this.#takeOverdue()] : timers;
    for (const act of timersFirst ? [...due, ...arrivals] : [...arrivals, ...due]) this.#takeUp(act);
  }

  #takeOverdue(): readonly Act[] {
    const overdue = [...this.#timers].filter(({ processMs }) => processMs <= this.nowMs());
    for (const timer of overdue) this.#timers.delete(timer);
    return overdue.toSorted((left, right) => left.processMs - right.processMs).map(({ act }) => act);
  }

  /** What was taken up before may have stopped the process again. */
  #takeUp(act: Act): void {
    if (this.isRunning) act();
    else this.hold(act);
  }

  #plan(timer: Timer): void {
    const atMs = ceilToGrain(this.runTimeMs(timer.processMs));
    // While the clock stands still nothing comes due.
    if (atMs === Infinity) return;
    const generation = this.#clockGeneration;
    this.#queue.at(atMs, () => {
      if (generation === this.#clockGeneration) this.#ring(timer);
    });
  }

  #ring(timer: Timer): void {
    if (!this.#timers.delete(timer)) return;
    if (this.isRunning) timer.act();
    else this.#dueTimers.push(timer.act);
  }

  #disturb(move: () => void): void {
    move();
    this.#clockGeneration += 1;
    for (const timer of this.#timers) this.#plan(timer);
  }

  #tellListeners(): void {
    for (const listener of this.#clockListeners) listener();
  }
}
