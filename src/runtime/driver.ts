/**
 * The real driver: turns procedures into promises, and sees those through that go on by themselves. It
 * decides nothing.
 */
import type { DetachedResult, Procedure, ReplyRecord } from "../ports/effect.ts";
import { Run, type World } from "./run.ts";

/** Detached procedures that may go on at once; a further one sends what it sends and is not followed. */
const DETACHED_MAX = 20_000;

/** Drives all procedures of one coordinator. */
export class Driver {
  readonly #world: World;
  readonly #listeners = new Map<ReplyRecord, () => void>();
  readonly #detached = new Set<Run<DetachedResult>>();
  #orphanCount = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Node deletes that were given up before an answer confirmed them. */
  get orphanCount(): number {
    return this.#orphanCount;
  }

  /** Detached procedures that are still on their way. */
  get detachedCount(): number {
    return this.#detached.size;
  }

  /** Runs a procedure to its end. Rejects only when the procedure throws, which is a fault of the code. */
  run<Result>(procedure: Procedure<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      new Run(procedure, {
        world: this.#world,
        keepAlive: true,
        listeners: this.#listeners,
        detach: this.#detach,
        onResult: resolve,
        onFault: reject,
      }).start();
    });
  }

  /** Follows the detached procedures no further; no timer of theirs is left when this returns. */
  abandonDetached(): void {
    for (const run of this.#detached) this.#giveUp(run);
  }

  readonly #detach = (procedure: Procedure<DetachedResult>): void => {
    const end = ({ orphanCount }: DetachedResult): void => {
      this.#detached.delete(run);
      this.#orphanCount += orphanCount;
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
    if (this.#detached.size > DETACHED_MAX) this.#giveUp(run);
  };

  #giveUp(run: Run<DetachedResult>): void {
    run.abandon();
    this.#detached.delete(run);
    this.#orphanCount += 1;
  }
}
