/**
 * The real driver: turns procedures into promises, and sees those through that go on by themselves. It
 * decides nothing.
 */
import type { DetachedResult, Mailbox, Procedure } from "../ports/effect.ts";
import { Run, type World } from "./run.ts";

/** Detached procedures that may go on at once; a further one sends what it sends and is not followed. */
const DETACHED_MAX = 20_000;

/** What ends a procedure before its time. */
export interface Abort {
  readonly signal: AbortSignal;
  readonly reasonOf: (cause: unknown) => Error;
}

/** How a procedure is run. */
export interface RunKind {
  /** Whether `close`, or an abort, may end it where it waits; default false. */
  readonly isInterruptible?: boolean;
  /** Whether its waits keep the process alive; default true. */
  readonly keepAlive?: boolean;
  /** Interrupts it when the signal aborts, with what `reasonOf` makes of the signal's reason. */
  readonly abort?: Abort | undefined;
}

/** Drives all procedures of one coordinator. */
export class Driver {
  readonly #world: World;
  readonly #listeners = new Map<Mailbox, () => void>();
  readonly #detached = new Set<Run<DetachedResult>>();
  readonly #interruptible = new Set<(reason: Error) => void>();
  readonly #onOrphans: (count: number) => void;
  #closed: { readonly reason: Error } | undefined;
  #orphanCount = 0;

  /** @param onOrphans is told whenever deletes of one value are given up; it never throws. */
  constructor(world: World, onOrphans: (count: number) => void = () => undefined) {
    this.#world = world;
    this.#onOrphans = onOrphans;
  }

  /** Node deletes that were given up before an answer confirmed them. */
  get orphanCount(): number {
    return this.#orphanCount;
  }

  /** Detached procedures that are still on their way. */
  get detachedCount(): number {
    return this.#detached.size;
  }

  /**
   * Runs a procedure to its end. Rejects when the procedure throws: a fault of the code, or the reason with
   * which an interruptible one was interrupted.
   */
  run<Result>(procedure: Procedure<Result>, kind: RunKind = {}): Promise<Result> {
    const { isInterruptible = false, keepAlive = true, abort } = kind;
    if (isInterruptible && this.#closed !== undefined) return Promise.reject(this.#closed.reason);
    if (abort?.signal.aborted === true) return Promise.reject(abort.reasonOf(abort.signal.reason));
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#interruptible.delete(interrupt);
        abort?.signal.removeEventListener("abort", onAbort);
      };
      const run: Run<Result> = new Run(procedure, {
        world: this.#world,
        keepAlive,
        listeners: this.#listeners,
        detach: this.#detach,
        onResult: (result) => {
          end();
          resolve(result);
        },
        onFault: (fault) => {
          end();
          reject(fault instanceof Error ? fault : new Error(String(fault)));
        },
      });
      const interrupt = (reason: Error): void => {
        run.interrupt(reason);
      };
      const onAbort = (): void => {
        if (abort !== undefined) run.interrupt(abort.reasonOf(abort.signal.reason));
      };
      if (isInterruptible) this.#interruptible.add(interrupt);
      abort?.signal.addEventListener("abort", onAbort);
      run.start();
    });
  }

  /**
   * Interrupts what can be, and follows detached procedures no further: one that begins from now on sends what
   * it sends. No timer of theirs is left when this returns.
   */
  close(reason: Error): void {
    this.#closed = { reason };
    for (const interrupt of [...this.#interruptible]) interrupt(reason);
    for (const run of [...this.#detached]) this.#giveUp(run);
  }

  readonly #detach = (procedure: Procedure<DetachedResult>): void => {
    const end = ({ orphanCount }: DetachedResult): void => {
      this.#detached.delete(run);
      this.#orphanCount += orphanCount;
      if (orphanCount > 0) this.#onOrphans(orphanCount);
    };
    const run: Run<DetachedResult> = new Run(procedure, {
      world: this.#world,
      keepAlive: false,
      listeners: this.#listeners,
      detach: this.#detach,
      onResult: end,
      // Nobody awaits a detached procedure, and a rejection of it must not end the user's process.
      onFault: () => {
        end({ orphanCount: 1 });
      },
    });
    run.start();
    if (!run.isWaiting) return;
    this.#detached.add(run);
    if (this.#closed !== undefined || this.#detached.size > DETACHED_MAX) this.#giveUp(run);
  };

  /** The procedure itself says what it leaves behind. */
  #giveUp(run: Run<DetachedResult>): void {
    run.interrupt(new Error("nobody follows this procedure any more"));
    run.abandon();
    this.#detached.delete(run);
  }
}
