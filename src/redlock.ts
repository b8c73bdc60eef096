/** The coordinator: five independent Redis masters, asked in parallel. */
import { acquire } from "./core/acquire.ts";
import type { Rules } from "./core/rules.ts";
import { acquireFailureMessage } from "./error-message.ts";
import { RedlockError } from "./errors.ts";
import { type Observer, Observers } from "./events.ts";
import { Lock } from "./lock.ts";
import { observeAcquire } from "./observe.ts";
import {
  type AcquireOptions,
  assertAcquireOptions,
  assertResource,
  assertTtl,
  type RedlockOptions,
  rulesFrom,
} from "./options.ts";
import type { LockNode } from "./ports/node.ts";
import { Driver } from "./runtime/driver.ts";
import type { World } from "./runtime/run.ts";
import { systemWorld } from "./runtime/system-world.ts";

/** Coordinates locks over the whole membership. `await using` closes it at the end of the block. */
export class Redlock implements AsyncDisposable {
  readonly #nodes: readonly LockNode[];
  readonly #rules: Rules;
  readonly #world: World;
  readonly #driver: Driver;
  readonly #observers = new Observers();
  #closing: Promise<void> | undefined;

  /**
   * @param nodes the whole membership, the same for every client: what `createNodes(urls)` returns.
   * @throws RedlockError `misuse` for an option out of its range.
   */
  constructor(nodes: readonly LockNode[], options: RedlockOptions = {}) {
    this.#rules = rulesFrom(nodes, options);
    this.#nodes = nodes;
    this.#world = systemWorld(nodes);
    this.#driver = new Driver(this.#world, (count) => {
      this.#observers.tell({ kind: "orphaned", count });
    });
    for (const node of nodes) node.observe?.((event) => this.#observers.tell(event));
  }

  /**
   * Acquires a resource for `ttlMs`, in one attempt unless `waitMs` is given.
   *
   * @param ttlMs whole milliseconds, more than the drift allowance (`ttlMs` times drift factor, and 2 ms).
   * @throws RedlockError `contended`, `unavailable`, `expired`, `aborted` (the coordinator was closed) or
   *   `misuse`, with each node's vote. What a failed attempt left on the nodes is taken back.
   */
  async acquire(resource: string, ttlMs: number, options: AcquireOptions = {}): Promise<Lock> {
    assertResource(resource);
    assertTtl(ttlMs, this.#rules.driftFactor);
    assertAcquireOptions(options);
    if (this.#closing !== undefined) throw closedError();

    const { waitMs = 0, fencing } = options;
    const observe = this.#observers.areListening ? this.#observeAcquire(resource, ttlMs) : undefined;
    const request = { resource, ttlMs, waitMs, tokenSource: fencing };
    const acquiring = this.#driver.run(acquire(request, this.#rules), { isInterruptible: true });
    observe?.(acquiring);
    const outcome = await acquiring;
    if (outcome.kind === "failed") {
      const facts = { resource, votes: outcome.round.votes, attemptCount: outcome.attemptCount };
      const message = acquireFailureMessage(outcome.code, facts);
      throw new RedlockError(outcome.code, message, { ...facts, cause: outcome.cause });
    }
    return new Lock({
      belief: outcome.belief,
      round: outcome.round,
      ttlMs,
      fencingToken: outcome.fencingToken,
      rules: this.#rules,
      driver: this.#driver,
      observers: this.#observers,
      clock: this.#world.clock,
      timers: this.#world.timers,
    });
  }

  /**
   * Tells an observer everything that happens from now on, synchronously; locks that are held already are only
   * told of when they are extended or released. What the observer throws is dropped.
   *
   * @returns a function that ends it.
   */
  observe(observer: Observer): () => void {
    return this.#observers.add(observer);
  }

  /** Keys of ended values that may have been left on some node: deletes that were never confirmed. */
  get orphanCount(): number {
    return this.#driver.orphanCount;
  }

  /** Closes the nodes' connections. Locks that are still held are not released. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #observeAcquire(resource: string, ttlMs: number): ReturnType<typeof observeAcquire> {
    return observeAcquire({ observers: this.#observers, clock: this.#world.clock }, { resource, ttlMs });
  }

  async #close(): Promise<void> {
    this.#driver.close(closedError());
    await Promise.all(this.#nodes.map((node) => node.close()));
  }
}

function closedError(): RedlockError {
  return new RedlockError("aborted", "the coordinator was closed");
}
