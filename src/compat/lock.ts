/** A lock as redlock 5 shows it. */
import type { Lock as OwnLock, Release } from "../lock.ts";
import { systemClock } from "../runtime/system-clock.ts";
import { type ExecutionStats, executionErrorFrom, type Membership, statsOf } from "./execution-error.ts";

/** A lock in the words of redlock 5; `lock.lock` is the one of this coordinator, with all that it can do. */
export class Lock {
  readonly resources: readonly string[];
  /** The random owner value. */
  readonly value: string;
  readonly lock: OwnLock;
  readonly #membership: Membership;

  constructor(lock: OwnLock, resources: readonly string[], membership: Membership) {
    this.lock = lock;
    this.resources = resources;
    this.value = lock.value;
    this.#membership = membership;
  }

  /**
   * End of validity in milliseconds since 1970; 0 once the lock is released or lost. It is for display: where the
   * wall clock steps it steps too, and `lock.lock.remainingMs()` does not.
   */
  get expiration(): number {
    const { ending, deadlineMs } = this.lock;
    if (ending === "released" || ending === "lost") return 0;
    return Math.floor(Date.now() + deadlineMs - systemClock.nowMs());
  }

  /** The votes of the round that decided last. */
  get attempts(): readonly Promise<ExecutionStats>[] {
    return [Promise.resolve(statsOf(this.lock.votes, this.#membership))];
  }

  /** @returns this very lock: the old handle goes on being good. */
  async extend(duration: number): Promise<this> {
    try {
      await this.lock.extend(duration);
    } catch (error) {
      throw executionErrorFrom(error, this.#membership);
    }
    return this;
  }

  /** Never rejects, also where the lock had expired: see `kind`. */
  async release(): Promise<Release & { readonly attempts: readonly Promise<ExecutionStats>[] }> {
    const release = await this.lock.release();
    return { ...release, attempts: [Promise.resolve(statsOf(release.votes, this.#membership))] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lock.release();
  }
}
