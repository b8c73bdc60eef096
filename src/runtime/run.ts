/** One procedure on its way: performs its effects until it waits, and goes on when what it waits for comes. */
import type { DetachedResult, Effect, Mailbox, Procedure, Resumption } from "../ports/effect.ts";
import type { LockNode } from "../ports/node.ts";
import type { TokenSource } from "../ports/token-source.ts";
import type { Entropy, MonotonicClock, Timers } from "../ports/world.ts";

/** Everything around the procedures. */
export interface World {
  readonly nodes: readonly LockNode[];
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly entropy: Entropy;
  /** Calls back once the replies that have arrived by now have been taken in. */
  readonly afterArrivals: (callback: () => void) => void;
}

/** What a run needs from its driver. */
export interface RunOptions<Result> {
  readonly world: World;
  /** Whether the waits of this run keep the process alive. */
  readonly keepAlive: boolean;
  /** Who is told when a record gets a reply; shared by all runs of a driver. */
  readonly listeners: Map<Mailbox, () => void>;
  readonly detach: (procedure: Procedure<DetachedResult>) => void;
  readonly onResult: (result: Result) => void;
  /** The procedure itself threw: a fault of the code, never an expected outcome. */
  readonly onFault: (fault: unknown) => void;
}

/** What a run waits for; only the present wait can resume it. */
interface Wait {
  readonly untilMs: number;
  readonly record?: Mailbox;
  readonly onDue: () => void;
}

const DONE: Resumption = { kind: "done" };
const REPLY: Resumption = { kind: "reply" };
const DEADLINE: Resumption = { kind: "deadline" };

/** A procedure, the wait that it is in, and the timer of that wait. */
export class Run<Result> {
  readonly #procedure: Procedure<Result>;
  readonly #options: RunOptions<Result>;
  #wait: Wait | undefined;
  #armedForMs: number | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(procedure: Procedure<Result>, options: RunOptions<Result>) {
    this.#procedure = procedure;
    this.#options = options;
  }

  /** Runs to the first wait, or to the end. */
  start(): void {
    this.#advance(() => this.#procedure.next(DONE));
  }

  /** Throws into the procedure where it waits; what it does about that is still performed. */
  interrupt(reason: unknown): void {
    if (this.#wait === undefined) return;
    this.#endWait(this.#wait);
    this.#advance(() => this.#procedure.throw(reason));
  }

  get isWaiting(): boolean {
    return this.#wait !== undefined;
  }

  /** Ends the run where it stands; no timer and no listener of it is left. */
  abandon(): void {
    this.#disarm();
    if (this.#wait !== undefined) this.#endWait(this.#wait);
  }

  #advance(enter: () => IteratorResult<Effect, Result>): void {
    try {
      for (let step = enter(); ; ) {
        if (step.done === true) {
          this.#disarm();
          this.#options.onResult(step.value);
          return;
        }
        const resumption = this.#perform(step.value);
        if (resumption === undefined) return;
        step = this.#procedure.next(resumption);
      }
    } catch (fault) {
      this.#disarm();
      this.#options.onFault(fault);
    }
  }

  /** What the procedure is resumed with at once; `undefined` when it has to wait. */
  #perform(effect: Effect): Resumption | undefined {
    const { clock, entropy } = this.#options.world;
    switch (effect.kind) {
      case "now":
        return { kind: "time", nowMs: clock.nowMs() };
      case "draw-value":
        return { kind: "value", value: entropy.value() };
      case "draw-fraction":
        return { kind: "fraction", fraction: entropy.fraction() };
      case "send":
        this.#send(effect);
        return DONE;
      case "detach":
        this.#options.detach(effect.procedure);
        return DONE;
      case "notify":
        this.#options.listeners.get(effect.mailbox)?.();
        return DONE;
      case "receive":
        return this.#receive(effect.record, effect.untilMs);
      case "sleep":
        this.#sleep(effect.untilMs);
        return undefined;
      case "draw-token":
        this.#drawToken(effect);
        return undefined;
    }
  }

  #send({ nodeIndex, command, untilMs, record }: Extract<Effect, { kind: "send" }>): void {
    const { world, listeners } = this.#options;
    world.nodes[nodeIndex]?.send(command, untilMs, (reply) => {
      record.settle(nodeIndex, reply, world.clock.nowMs());
      listeners.get(record)?.();
    });
  }

  #receive(record: Mailbox, untilMs: number): Resumption | undefined {
    if (record.hasNews) {
      record.takeNews();
      return REPLY;
    }
    const wait: Wait = {
      untilMs,
      record,
      // A process that stood still finds its timers due before it has read what arrived meanwhile (S55).
      onDue: () => {
        this.#options.world.afterArrivals(() => {
          this.#resume(wait, DEADLINE);
        });
      },
    };
    this.#options.listeners.set(record, () => {
      record.takeNews();
      this.#resume(wait, REPLY);
    });
    this.#begin(wait);
    return undefined;
  }

  #sleep(untilMs: number): void {
    const wait: Wait = {
      untilMs,
      onDue: () => {
        this.#resume(wait, DONE);
      },
    };
    this.#begin(wait);
  }

  #drawToken({ source, resource, untilMs }: Extract<Effect, { kind: "draw-token" }>): void {
    const wait: Wait = {
      untilMs,
      onDue: () => {
        this.#resume(wait, DEADLINE);
      },
    };
    this.#begin(wait);
    void nextToken(source, resource).then((resumption) => {
      this.#resume(wait, resumption);
    });
  }

  #begin(wait: Wait): void {
    this.#wait = wait;
    this.#arm(wait.untilMs);
  }

  #resume(wait: Wait, resumption: Resumption): void {
    if (this.#wait !== wait) return;
    this.#endWait(wait);
    this.#advance(() => this.#procedure.next(resumption));
  }

  #endWait({ record }: Wait): void {
    this.#wait = undefined;
    if (record !== undefined) this.#options.listeners.delete(record);
  }

  /** A timer that is set for the same moment stays: a round has one, not one for each reply. */
  #arm(untilMs: number): void {
    if (this.#armedForMs === untilMs) return;
    this.#disarm();
    this.#armedForMs = untilMs;
    const { clock, timers } = this.#options.world;
    const onTimer = (): void => {
      this.#armedForMs = undefined;
      if (this.#wait === undefined) return;
      if (clock.nowMs() < this.#wait.untilMs) this.#arm(this.#wait.untilMs);
      else this.#wait.onDue();
    };
    this.#cancelTimer = timers.after(untilMs - clock.nowMs(), onTimer, {
      keepAlive: this.#options.keepAlive,
    });
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#armedForMs = undefined;
  }
}

/** Never rejects: what a user's source throws, or gives that is no token, is a failed draw. */
async function nextToken(source: TokenSource, resource: string): Promise<Resumption> {
  try {
    const token: unknown = await source.next(resource);
    if (typeof token === "bigint") return { kind: "token", token };
    return {
      kind: "token-failed",
      cause: new TypeError(`the token source gave a ${typeof token}, not a bigint`),
    };
  } catch (cause) {
    return { kind: "token-failed", cause };
  }
}
