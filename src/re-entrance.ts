/**
 * Re-entrance: within the body of `using`, and in all that it calls, the same resource can be used again. The inner
 * body runs under the outer's lock, which is given back when the last of them has ended.
 */
import type { Lock } from "./lock.ts";
import { misuse } from "./misuse.ts";
import { resourcesOf, type Target } from "./ports/command.ts";
import { AsyncStack } from "./runtime/async-stack.ts";
import { targetText } from "./target.ts";
import { type BodyOptions, type LockBody, runUnderLock } from "./use-lock.ts";

interface InnerOptions extends BodyOptions {
  readonly wantsToken: boolean;
}

/** A lock in use by a body, and by those that entered it. */
class Holding {
  readonly lock: Lock;
  readonly #innerBodies = new Set<Promise<unknown>>();

  constructor(lock: Lock) {
    this.lock = lock;
  }

  /**
   * Runs an inner body under the lock, which stays as the outer one keeps it: TTL, `maxHoldMs` and all.
   *
   * @throws what `runUnderLock` throws; RedlockError `misuse` where it wants a fencing token that the lock has not.
   */
  async enter<Result>(body: LockBody<Result>, options: InnerOptions): Promise<Result> {
    const { lock } = this;
    if (options.wantsToken && lock.fencingToken === undefined) {
      throw misuse(`"${lock.resource}" is held without a fencing token: give fencing to the outer using`);
    }
    const running = runUnderLock(lock, body, options);
    this.#innerBodies.add(running);
    try {
      return await running;
    } finally {
      this.#innerBodies.delete(running);
    }
  }

  async innerBodiesEnded(): Promise<void> {
    while (this.#innerBodies.size > 0) await Promise.allSettled(this.#innerBodies);
  }
}

/** The bodies of one coordinator that run under its locks, each seen by what it calls. */
export class HoldingBodies {
  readonly #around = new AsyncStack<Holding>();

  /** The body, seen by all that it calls; it has ended when those have that entered its lock. */
  outer<Result>(body: LockBody<Result>): LockBody<Result> {
    return async (signal, lock) => {
      const holding = new Holding(lock);
      try {
        return await this.#around.run(holding, () => body(signal, lock));
      } finally {
        await holding.innerBodiesEnded();
      }
    };
  }

  /**
   * What the caller runs under, if it covers all that is asked for.
   *
   * @throws RedlockError `misuse` where it covers only a part: its own holder would stand in line behind it.
   */
  around(target: Target): Holding | undefined {
    const wanted = resourcesOf(target);
    for (const holding of this.#around) {
      const { lock } = holding;
      const coveredCount = wanted.filter((resource) => lock.resources.includes(resource)).length;
      if (coveredCount === 0 || lock.ending !== undefined) continue;
      if (coveredCount === wanted.length) return holding;
      throw misuse(
        `"${targetText(target)}" cannot be locked by the body that holds "${lock.resource}": lock all of it in the outer using`,
      );
    }
    return undefined;
  }

  /** @throws RedlockError `misuse` where the caller runs under a lock on any of it. */
  refuseWithin(target: Target): void {
    if (this.around(target) === undefined) return;
    throw misuse(
      `"${targetText(target)}" is held by the body that asks for it: call using for it again, or hand its lock on`,
    );
  }
}
