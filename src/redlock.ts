/** The coordinator: five independent Redis masters, asked in parallel. */
import { abortedError, acquireError, closedError } from "./acquire-errors.ts";
import type { AcquireRequest } from "./core/acquire.ts";
import { acquireInTurn, type GrantInTurn, type OutcomeInTurn } from "./core/acquire-in-turn.ts";
import type { Rules } from "./core/rules.ts";
import { trustFirstUse } from "./core/trust-first-use.ts";
import { Waiters } from "./core/waiters.ts";
import { type Observer, Observers } from "./events.ts";
import { type Inspection, inspectionFrom, lookAtAll } from "./inspection.ts";
import { Lock } from "./lock.ts";
import { type LookOptions, lookLimitMsFrom } from "./look-options.ts";
import { observeAcquire } from "./observe.ts";
import {
  type AcquireOptions,
  assertAcquireOptions,
  assertBody,
  assertKeepAliveOptions,
  assertObserver,
  type UsingOptions,
  usingOptionsFrom,
} from "./call-options.ts";
import { assertTtl } from "./durations.ts";
import { type RedlockOptions, rulesFrom } from "./options.ts";
import { resourceFrom, type Resources, targetFrom, targetText } from "./target.ts";
import type { Target } from "./ports/command.ts";
import type { Procedure } from "./ports/effect.ts";
import type { LockNode } from "./ports/node.ts";
import type { NodeEvent } from "./ports/node-event.ts";
import type { NodeAddress } from "./redis/connect/node-address.ts";
import { membersFrom } from "./redis/members-from.ts";
import { Driver } from "./runtime/driver.ts";
import { emitWarning } from "./runtime/emit-warning.ts";
import type { World } from "./runtime/run.ts";
import { systemWorld } from "./runtime/system-world.ts";
import { HoldingBodies } from "./re-entrance.ts";
import type { Finding } from "./start-up/finding.ts";
import { StartUpProbe } from "./start-up/start-up-probe.ts";
import { type LockBody, useLock } from "./use-lock.ts";

/** Coordinates locks over the whole membership. `await using` closes it at the end of the block. */
export class Redlock implements AsyncDisposable {
  readonly #nodes: readonly LockNode[];
  readonly #rules: Rules;
  readonly #world: World;
  readonly #driver: Driver;
  readonly #observers = new Observers();
  readonly #waiters = new Waiters();
  /** Whoever comes before some survey is over makes one of its own. */
  #isFirstUse: boolean;
  readonly #startUp: StartUpProbe;
  readonly #holdingBodies: HoldingBodies | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param members the whole membership, the same for every client: what `createNodes` returns, or addresses and
   *   ioredis clients from which it makes nodes. Nodes are its own from then on: it closes them, also where it throws.
   * @throws RedlockError `misuse` for an option out of its range, or what names no node.
   */
  constructor(members: Iterable<LockNode | NodeAddress>, options: RedlockOptions = {}) {
    const nodes = membersFrom(members);
    try {
      this.#rules = rulesFrom(nodes, options);
    } catch (error) {
      for (const node of nodes) void node.close();
      throw error;
    }
    this.#nodes = nodes;
    this.#world = systemWorld(nodes);
    this.#driver = new Driver(this.#world, (count) => {
      this.#observers.tell({ kind: "orphaned", count });
    });
    for (const node of nodes) node.observe?.((event) => this.#tellNodeEvent(event));
    this.#holdingBodies = options.reentrant === true ? new HoldingBodies() : undefined;
    this.#isFirstUse = this.#rules.firstUse === "trust";
    this.#startUp = new StartUpProbe({
      ...{ nodes, clock: this.#world.clock, firstLimitMs: this.#rules.nodeTimeoutMs },
      isAutomatic: options.startUpProbe !== "off",
      tell: (finding) => {
        this.#tellFinding(finding);
      },
    });
  }

  /**
   * Acquires a resource for `ttlMs`, or several at once, all or nothing, in one attempt unless `waitMs` is given.
   *
   * @param resources one name, or a list of names; each is taken once, in any order.
   * @param ttlMs whole milliseconds, more than the drift allowance (`ttlMs` times drift factor, and 2 ms).
   * @throws RedlockError `contended`, `unavailable`, `expired`, `aborted` (by `signal`, or the coordinator was
   *   closed) or `misuse`, with each node's vote. What a failed attempt left on the nodes is taken back.
   */
  async acquire(resources: Resources, ttlMs: number, options: AcquireOptions = {}): Promise<Lock> {
    const target = targetFrom(resources);
    const outcome = await this.#acquire(target, ttlMs, options);
    if (outcome.kind === "failed") throw acquireError(target, outcome);
    return this.#lock(outcome, ttlMs);
  }

  /**
   * Acquires a resource, or several at once, in one attempt.
   *
   * @returns the lock, or `undefined` where somebody else holds it.
   * @throws RedlockError as `acquire` does, but never `contended`.
   */
  async tryAcquire(
    resources: Resources,
    ttlMs: number,
    options: Omit<AcquireOptions, "waitMs"> = {},
  ): Promise<Lock | undefined> {
    const target = targetFrom(resources);
    const outcome = await this.#acquire(target, ttlMs, { ...options, waitMs: 0 });
    if (outcome.kind === "granted") return this.#lock(outcome, ttlMs);
    if (outcome.code === "contended") return undefined;
    throw acquireError(target, outcome);
  }

  /**
   * Runs the body under a lock that is extended for as long as the body goes on, and releases it then. The body's
   * signal aborts when the lock is lost, and at its deadline whatever the nodes do. The body never runs unless the
   * lock is held. What it throws is thrown, with the end of the lock as `cause` where it was over by then.
   *
   * @returns what the body gives.
   * @throws RedlockError as `acquire` does; with `failIfLost` also `lost` or `expired`.
   */
  using<Result>(resources: Resources, ttlMs: number, body: LockBody<Result>): Promise<Result>;
  using<Result>(
    resources: Resources,
    ttlMs: number,
    options: UsingOptions,
    body: LockBody<Result>,
  ): Promise<Result>;
  // eslint-disable-next-line @typescript-eslint/max-params -- The options stand before the body, as a body is long.
  async using<Result>(
    resources: Resources,
    ttlMs: number,
    optionsOrBody: UsingOptions | LockBody<Result>,
    lastBody?: LockBody<Result>,
  ): Promise<Result> {
    const isBodyFirst = typeof optionsOrBody === "function";
    // Options behind the body would be left out in silence.
    const body = isBodyFirst && lastBody === undefined ? optionsOrBody : lastBody;
    assertBody(body);
    const { acquiring, keeping, failIfLost } = usingOptionsFrom(isBodyFirst ? {} : optionsOrBody);
    assertKeepAliveOptions(keeping, this.#rules);
    const target = targetFrom(resources);
    const holding = this.#holdingBodies?.around(target);
    if (holding !== undefined) {
      this.#assertAcquirable(target, ttlMs, acquiring);
      return await holding.enter(body, { failIfLost, wantsToken: acquiring.fencing !== undefined });
    }
    const lock = await this.acquire(resources, ttlMs, acquiring);
    lock.keepAlive(keeping);
    return await useLock(lock, this.#holdingBodies?.outer(body) ?? body, { failIfLost });
  }

  /**
   * Tells an observer everything that happens from now on, synchronously; locks that are held already are only
   * told of when they are extended or released. What the observer throws is dropped.
   *
   * @returns a function that ends it.
   * @throws RedlockError `misuse` for what is no function.
   */
  observe(observer: Observer): () => void {
    assertObserver(observer);
    return this.#observers.add(observer);
  }

  /**
   * Asks every node what it is and how it is set up, within `limitMs` (whole milliseconds; default 2000). The first
   * acquire asks by itself unless `startUpProbe` is `off`; while a refusal stands, acquires throw `misuse`.
   *
   * @returns what is not as it should be, refusals first.
   * @throws RedlockError `misuse` for a limit out of its range, or `aborted` once the coordinator is closed.
   */
  async probe(options: LookOptions = {}): Promise<readonly Finding[]> {
    const limitMs = lookLimitMsFrom("probe", options);
    this.#throwIfClosed();
    return await this.#startUp.run(limitMs);
  }

  /**
   * Looks at the resource's key on every node, within `limitMs` (whole milliseconds; default 2000), and changes
   * nothing. What it shows is past when it is read: to be told to people, never to decide by.
   *
   * @param resource one name.
   * @returns what the nodes showed. Nodes that do not answer are in it as `unknown`.
   * @throws RedlockError `misuse`, or `aborted` once the coordinator is closed.
   */
  async inspect(resource: string, options: LookOptions = {}): Promise<Inspection> {
    const name = resourceFrom(resource);
    const limitMs = lookLimitMsFrom("inspect", options);
    this.#throwIfClosed();
    return inspectionFrom(name, await lookAtAll(this.#nodes, name, limitMs), this.#rules.quorum);
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

  async #acquire(target: Target, ttlMs: number, options: AcquireOptions): Promise<OutcomeInTurn> {
    this.#assertAcquirable(target, ttlMs, options);
    this.#holdingBodies?.refuseWithin(target);
    const checking = this.#startUp.check();
    if (checking !== undefined) await checking;
    this.#throwIfClosed();

    const { waitMs = 0, fencing, signal } = options;
    const request = { ...target, ttlMs, waitMs, tokenSource: fencing };
    const abort = signal && { signal, reasonOf: (cause: unknown) => abortedError(target, cause) };
    const observe = this.#observers.areListening
      ? this.#observeAcquire(targetText(target), ttlMs)
      : undefined;
    const acquiring = this.#driver.run(this.#acquireProcedure(request), { isInterruptible: true, abort });
    observe?.(acquiring);
    return await acquiring;
  }

  /** Before anything is asked or sent. */
  #assertAcquirable(target: Target, ttlMs: number, options: AcquireOptions): void {
    assertTtl(ttlMs, this.#rules);
    assertAcquireOptions(options);
    this.#throwIfClosed();
    const { signal } = options;
    if (signal?.aborted === true) throw abortedError(target, signal.reason);
  }

  *#acquireProcedure(request: AcquireRequest): Procedure<OutcomeInTurn> {
    const { guard } = this.#rules;
    if (this.#isFirstUse && guard !== undefined) {
      yield* trustFirstUse(guard, this.#rules);
      this.#isFirstUse = false;
    }
    return yield* acquireInTurn(request, this.#rules, this.#waiters);
  }

  #lock({ belief, round, turn, fencingTokens }: GrantInTurn, ttlMs: number): Lock {
    return new Lock({
      ...{ belief, round, turn, ttlMs, fencingTokens },
      waiters: this.#waiters,
      rules: this.#rules,
      driver: this.#driver,
      observers: this.#observers,
      clock: this.#world.clock,
      timers: this.#world.timers,
    });
  }

  #observeAcquire(resource: string, ttlMs: number): ReturnType<typeof observeAcquire> {
    return observeAcquire({ observers: this.#observers, clock: this.#world.clock }, { resource, ttlMs });
  }

  /** As for a finding: what is wrong with a node must not be lost. */
  #tellNodeEvent(event: NodeEvent): void {
    if (event.kind !== "node-warning" || this.#observers.areListening) this.#observers.tell(event);
    else emitWarning(event.message, "redlock-node");
  }

  /** A finding that nobody listens to would be lost where it matters most. */
  #tellFinding(finding: Finding): void {
    if (this.#observers.areListening) this.#observers.tell({ kind: "finding", finding });
    else emitWarning(finding.message, `redlock-${finding.code}`);
  }

  #throwIfClosed(): void {
    if (this.#closing !== undefined) throw closedError();
  }

  async #close(): Promise<void> {
    this.#waiters.close();
    this.#driver.close(closedError());
    await Promise.all(this.#nodes.map((node) => node.close()));
  }
}
