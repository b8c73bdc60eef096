/** A lock in its holder's hands: what it knows of its validity, and the two things that can be done with it. */
import type { Belief, Ending } from "./core/belief.ts";
import { extend, type ExtendOutcome } from "./core/extend.ts";
import { releaseInTurn } from "./core/hand-over.ts";
import { leave } from "./core/leave.ts";
import { renew } from "./core/renew.ts";
import type { Round } from "./core/round.ts";
import type { Rules } from "./core/rules.ts";
import type { Turn, Waiters } from "./core/waiters.ts";
import type { Observers } from "./events.ts";
import { observeExtension, observeHold, observeRelease } from "./observe.ts";
import { assertKeepAliveOptions, type KeepAliveOptions } from "./call-options.ts";
import { assertTtl } from "./durations.ts";
import { targetText } from "./target.ts";
import { overError } from "./over-error.ts";
import { resourcesOf } from "./ports/command.ts";
import type { Procedure } from "./ports/effect.ts";
import type { Vote } from "./ports/vote.ts";
import type { MonotonicClock, Timers } from "./ports/world.ts";
import type { Driver } from "./runtime/driver.ts";
import { ValiditySignal } from "./validity-signal.ts";

/**
 * - `released`: a quorum confirmed that it no longer holds the value.
 * - `expired`: the lock was over before, or no node held it any more; that is an ending like any other.
 * - `unconfirmed`: too few nodes answered in time; the deletes go on behind the scenes, the TTL beneath them.
 */
export type ReleaseKind = "released" | "expired" | "unconfirmed";

/** How a release ended, and on whose word. */
export interface Release {
  readonly kind: ReleaseKind;
  /** What each node answered to the delete by the time of the decision. */
  readonly votes: readonly Vote[];
}

/** What a lock is made of; only `Redlock` makes one. */
export interface LockParts {
  readonly belief: Belief;
  readonly round: Round;
  /** Its holder's place in the lines of its process. */
  readonly turn: Turn;
  readonly waiters: Waiters;
  readonly ttlMs: number;
  /** One for each resource, in their order. */
  readonly fencingTokens: readonly bigint[];
  readonly rules: Rules;
  readonly driver: Driver;
  readonly observers: Observers;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
}

/** A lock in its holder's hands. `await using` releases it at the end of the block. */
export class Lock implements AsyncDisposable {
  /** What is locked; several names are joined by commas. */
  readonly resource: string;
  /** Every resource that is locked, sorted. */
  readonly resources: readonly string[];
  /** The random owner value of this lock. */
  readonly value: string;
  /** The growing number for the (first) resource under protection; `undefined` where no token source was named. */
  readonly fencingToken: bigint | undefined;
  readonly #parts: LockParts;
  readonly #validity: ValiditySignal;
  #round: Round;
  #latestTtlMs: number;
  #longestTtlMs: number;
  #stopRenewal: (() => void) | undefined;
  #release: Promise<Release> | undefined;

  constructor(parts: LockParts) {
    this.resource = targetText(parts.belief);
    this.resources = resourcesOf(parts.belief);
    this.value = parts.belief.value;
    this.fencingToken = parts.fencingTokens[0];
    this.#parts = parts;
    this.#round = parts.round;
    this.#latestTtlMs = parts.ttlMs;
    this.#longestTtlMs = parts.ttlMs;
    this.#validity = new ValiditySignal(parts.belief, parts);
    if (parts.observers.areListening) this.#observeHold();
  }

  /** The fencing tokens by resource: where there are several resources, each has a token of its own. */
  get fencingTokens(): ReadonlyMap<string, bigint> {
    const { fencingTokens } = this.#parts;
    return new Map(
      this.resources.flatMap((resource, index) => {
        const token = fencingTokens[index];
        return token === undefined ? [] : [[resource, token]];
      }),
    );
  }

  /** Milliseconds for which the lock may still be believed in; 0 once it is released, lost or expired. */
  remainingMs(): number {
    return this.#parts.belief.remainingMs(this.#parts.clock.nowMs());
  }

  /** Why the lock is over; `undefined` while it is held. */
  get ending(): Ending | undefined {
    const { belief, clock } = this.#parts;
    return belief.isOver(clock.nowMs()) ? (belief.ending ?? "expired") : undefined;
  }

  /** End of validity in milliseconds on the clock of `process.hrtime`. */
  get deadlineMs(): number {
    return this.#parts.belief.deadlineMs;
  }

  /** Each node's vote and round-trip time in the round that decided last; a late answer still updates it. */
  get votes(): readonly Vote[] {
    return this.#round.votes;
  }

  /**
   * Aborts when the lock is over: at its deadline by a timer, earlier when it is lost or released. Its
   * `reason` is a `RedlockError` with code `expired`, `lost` or `aborted` (released). Made when first asked
   * for; its timer keeps no process alive and is gone when the lock is over.
   */
  get signal(): AbortSignal {
    return this.#validity.signal;
  }

  /**
   * Moves the deadline to `ttlMs` from now, less drift; never back. Nodes that are silent are asked again
   * until the old deadline.
   *
   * @param ttlMs whole milliseconds, more than the drift allowance.
   * @returns this lock.
   * @throws RedlockError `lost`, `expired`, `aborted` (released meanwhile) or `misuse`.
   */
  async extend(ttlMs: number): Promise<this> {
    const { driver, rules } = this.#parts;
    assertTtl(ttlMs, rules);
    const outcome = await driver.run(this.#extendOnce(ttlMs), { isInterruptible: true });
    if (outcome.kind === "over") throw overError(outcome.ending, this.resource, outcome.round?.votes);
    return this;
  }

  /**
   * Extends the lock by itself from now on, each time when a third of its TTL is over, until it is released, lost
   * or over, or has been kept for `maxHoldMs`. An extension that fails is tried again until the deadline; `signal`
   * tells when that did not help. Called again, the new options take the place of the old. It keeps no process
   * alive, and nothing of it is left when the lock is over.
   *
   * @throws RedlockError `misuse`, or `aborted` once it is released.
   */
  keepAlive(options: KeepAliveOptions = {}): void {
    const { belief, driver, rules } = this.#parts;
    assertKeepAliveOptions(options, rules);
    if (belief.ending === "released") throw overError("released", this.resource, this.votes);
    const { ttlMs = this.#latestTtlMs, maxHoldMs } = options;
    this.#stopRenewal?.();
    const stop = new AbortController();
    this.#stopRenewal = () => {
      stop.abort();
    };
    const abort = { signal: stop.signal, reasonOf: () => new Error("the renewal was stopped") };
    const renewal = renew(belief, { ttlMs, maxHoldMs }, () => this.#extendOnce(ttlMs));
    driver.run(renewal, { isInterruptible: true, keepAlive: false, abort }).catch(ignoreStop);
  }

  /** Gives the lock back. The lock is over at once; called again, it gives the same result. Never rejects. */
  release(): Promise<Release> {
    this.#release ??= this.#releaseOnce();
    return this.#release;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  *#extendOnce(ttlMs: number): Procedure<ExtendOutcome> {
    const { belief, observers, rules, turn, waiters } = this.#parts;
    this.#latestTtlMs = ttlMs;
    this.#longestTtlMs = Math.max(this.#longestTtlMs, ttlMs);
    const extending = extend(belief, ttlMs, rules);
    const outcome = yield* observers.areListening
      ? observeExtension(this.#parts, belief, extending)
      : extending;
    if (outcome.kind === "extended") {
      this.#round = outcome.round;
    } else {
      this.#stopRenewal?.();
      yield* leave(turn, waiters);
    }
    return outcome;
  }

  async #releaseOnce(): Promise<Release> {
    this.#stopRenewal?.();
    const { belief, round: acquired, driver, rules, turn, waiters } = this.#parts;
    const held = { belief, acquired, longestTtlMs: this.#longestTtlMs };
    const releasing = driver.run(releaseInTurn(held, { turn, waiters }, rules));
    if (this.#parts.observers.areListening) observeRelease(this.#parts, belief, releasing);
    const { kind, round } = await releasing;
    return { kind, votes: round.votes };
  }

  #observeHold(): void {
    const { belief, rules } = this.#parts;
    const hold = { belief, signal: this.signal, quorum: rules.quorum, votes: () => this.votes };
    observeHold(this.#parts, hold);
  }
}

/** Stopped by a release, by `close`, or by other options: how the lock ends shows in its belief. */
function ignoreStop(): void {}
