/**
 * A worker's procedure on its way in a virtual process: the workload that every backend runs, on the procedures of
 * the strategy that is on trial. The synchronous twin of the local backend's worker driver.
 */
import type { AcquireOutcome } from "../../../../src/core/acquire.ts";
import type { Belief } from "../../../../src/core/belief.ts";
import type { ExtendOutcome } from "../../../../src/core/extend.ts";
import type { Held } from "../../../../src/core/release.ts";
import type { Round } from "../../../../src/core/round.ts";
import type { Rules } from "../../../../src/core/rules.ts";
import { RedlockError } from "../../../../src/errors.ts";
import { assertTtl } from "../../../../src/durations.ts";
import { overError } from "../../../../src/over-error.ts";
import type { TokenSource } from "../../../../src/ports/token-source.ts";
import type { EventBody, HoldId, WorkerEvent } from "../../../history/event.ts";
import type { ReadRequest, WriteRequest } from "../../../workload/protected-resource.ts";
import type { WorkerEffect, WorkerProcedure, WorkerResumption } from "../../../workload/worker-effect.ts";
import { watchBelief } from "./belief-watch.ts";
import { type CoordinatorWorld, startProcedure } from "./procedure-run.ts";
import { renewing } from "./renewing.ts";
import type { StrategyCalls } from "./strategy-calls.ts";

type DeadlineMoved = Extract<EventBody, { readonly kind: "deadline-moved" }>;

export interface WorkerWorld extends CoordinatorWorld {
  readonly calls: StrategyCalls;
  /** Writes an event down, stamped now. */
  readonly note: (event: WorkerEvent | DeadlineMoved) => void;
  readonly write: (request: WriteRequest, settle: (accepted: boolean) => void) => void;
  readonly read: (
    request: ReadRequest,
    settle: (answer: { readonly accepted: boolean; readonly saw: string | null }) => void,
  ) => void;
  readonly stamp: (request: { readonly resource: string; readonly hold: HoldId }, settle: () => void) => void;
  /** Asks a replica of the first node for the key. */
  readonly askReplica: (resource: string, settle: (value: string | undefined) => void) => void;
}

/** What the worker has in its hands after a grant. */
interface HeldLock {
  readonly belief: Belief;
  /** The round that decided last. */
  round: Round;
  longestTtlMs: number;
}

type EffectOf<Kind extends WorkerEffect["kind"]> = Extract<WorkerEffect, { readonly kind: Kind }>;

const DONE: WorkerResumption = { kind: "done" };

/** Names that tokens are to be drawn; the virtual world draws them itself and never asks. */
const VIRTUAL_COUNTER: TokenSource = {
  next: () => {
    throw new Error("tokens are drawn by an effect in the virtual world");
  },
};

/** Runs a worker's procedure from now on, for as long as its process does. */
export function startWorker(procedure: WorkerProcedure, world: WorkerWorld): void {
  new WorkerRun(procedure, world).start();
}

class WorkerRun {
  readonly #procedure: WorkerProcedure;
  readonly #world: WorkerWorld;
  #lock: HeldLock | undefined;

  constructor(procedure: WorkerProcedure, world: WorkerWorld) {
    this.#procedure = procedure;
    this.#world = world;
  }

  start(): void {
    this.#advance(DONE);
  }

  readonly #advance = (resumption: WorkerResumption): void => {
    const step = this.#procedure.next(resumption);
    if (step.done !== true) this.#goOn(step.value);
  };

  /** Bounded by the procedure: a plan's acquires are counted. */
  #goOn(first: WorkerEffect): void {
    const { process, conduct } = this.#world;
    let effect = first;
    for (;;) {
      conduct();
      if (!process.isRunning) {
        const next = effect;
        process.hold(() => this.#goOn(next));
        return;
      }
      const resumption = this.#perform(effect);
      if (resumption === undefined) return;
      const step = this.#procedure.next(resumption);
      if (step.done === true) return;
      effect = step.value;
    }
  }

  /** What the procedure is resumed with at once; `undefined` when it has to wait. */
  #perform(effect: WorkerEffect): WorkerResumption | undefined {
    const { process, clock, note } = this.#world;
    switch (effect.kind) {
      case "note":
        note(effect.event);
        return DONE;
      case "sleep":
        process.at(process.nowMs() + effect.forMs, () => this.#advance(DONE));
        return undefined;
      case "acquire":
        return this.#acquire(effect);
      case "extend":
        return this.#extend(effect.ttlMs);
      case "renew":
        this.#renew(effect);
        return DONE;
      case "remaining":
        return { kind: "remaining", remainingMs: this.#held().belief.remainingMs(clock.nowMs()) };
      case "release":
        this.#release();
        return undefined;
      case "read":
      case "stamp":
      case "write":
      case "ask-replica":
        this.#visit(effect);
        return undefined;
    }
  }

  /** Asks somebody outside, and goes on when the answer comes. */
  #visit(effect: EffectOf<"read" | "stamp" | "write" | "ask-replica">): void {
    const { process, read, stamp, write, askReplica } = this.#world;
    const worker = process.id;
    switch (effect.kind) {
      case "read": {
        const { kind: _kind, ...request } = effect;
        read({ worker, ...request }, ({ accepted, saw }) =>
          this.#advance({ kind: "was-read", accepted, saw }),
        );
        return;
      }
      case "stamp":
        stamp(effect, () => this.#advance(DONE));
        return;
      case "write": {
        const { kind: _kind, ...request } = effect;
        write({ worker, ...request }, (accepted) => this.#advance({ kind: "written", accepted }));
        return;
      }
      case "ask-replica": {
        const { resource, value } = this.#held().belief;
        askReplica(resource, (found) => this.#advance({ kind: "replica-answered", isHeld: found === value }));
        return;
      }
    }
  }

  #acquire(effect: EffectOf<"acquire">): WorkerResumption | undefined {
    const { resource, ttlMs, waitMs, fencing, hold, isHandOver } = effect;
    const { calls } = this.#world;
    const misuse = ttlMisuse(ttlMs, calls.rules);
    if (misuse !== undefined) return misuse;
    const request = { resource, ttlMs, waitMs, tokenSource: fencing ? VIRTUAL_COUNTER : undefined };
    const before = this.#lock;
    startProcedure(calls.acquire(request), this.#world, (outcome) => {
      this.#advance(this.#takeOutcome(outcome, hold, ttlMs));
    });
    if (isHandOver && before !== undefined) {
      startProcedure(calls.release(heldOf(before)), this.#world, ignoreEnd);
    }
    return undefined;
  }

  #takeOutcome(outcome: AcquireOutcome, hold: HoldId, ttlMs: number): WorkerResumption {
    const { votes } = outcome.round;
    if (outcome.kind === "failed") return { kind: "failed", code: outcome.code, votes };
    const { process, clock, note } = this.#world;
    const { belief, fencingTokens } = outcome;
    const [fencingToken] = fencingTokens;
    this.#lock = { belief, round: outcome.round, longestTtlMs: ttlMs };
    const same = { worker: process.id, hold };
    watchBelief(belief, this.#world, {
      onEnd: (reason) => note({ kind: "belief-ended", ...same, reason }),
      onDeadlineMoved: (deadlineMs) => note({ kind: "deadline-moved", ...same, deadlineMs }),
    });
    const granted = {
      kind: "granted",
      value: belief.value,
      deadlineMs: clock.runTimeMs(belief.deadlineMs),
      remainingMs: belief.remainingMs(clock.nowMs()),
      votes,
    } as const;
    return fencingToken === undefined ? granted : { fencingToken: fencingToken.toString(), ...granted };
  }

  #extend(ttlMs: number): WorkerResumption | undefined {
    const { calls } = this.#world;
    const misuse = ttlMisuse(ttlMs, calls.rules);
    if (misuse !== undefined) return misuse;
    const lock = this.#held();
    lock.longestTtlMs = Math.max(lock.longestTtlMs, ttlMs);
    startProcedure(calls.extend(lock.belief, ttlMs), this.#world, (outcome) => {
      this.#advance(this.#takeExtension(outcome, lock));
    });
    return undefined;
  }

  #takeExtension(outcome: ExtendOutcome, lock: HeldLock): WorkerResumption {
    const { belief } = lock;
    if (outcome.kind === "over") {
      return failed(overError(outcome.ending, belief.resource, outcome.round?.votes));
    }
    lock.round = outcome.round;
    const deadlineMs = this.#world.clock.runTimeMs(belief.deadlineMs);
    return { kind: "extended", deadlineMs, votes: outcome.round.votes };
  }

  /** Goes on beside the worker's procedure; it ends with the belief. */
  #renew({ ttlMs, maxHoldMs, hold }: EffectOf<"renew">): void {
    const { calls, process, note } = this.#world;
    const lock = this.#held();
    const procedure = renewing(lock.belief, {
      ttlMs,
      maxHoldMs: calls.renewsForEver ? undefined : maxHoldMs,
      calls,
      onAsked: (call) => note({ kind: "extend-invoked", worker: process.id, call, hold, ttlMs }),
      onAnswered: (call, outcome) => {
        const answer = this.#takeExtension(outcome, lock);
        const same = { worker: process.id, call, hold };
        if (answer.kind === "extended") note({ ...answer, ...same, kind: "extend-granted" });
        if (answer.kind === "failed") note({ ...answer, ...same, kind: "extend-failed" });
      },
      callPrefix: `${hold}#renewal`,
    });
    startProcedure(procedure, this.#world, ignoreEnd);
  }

  #release(): void {
    startProcedure(this.#world.calls.release(heldOf(this.#held())), this.#world, ({ kind, round }) => {
      this.#lock = undefined;
      this.#advance({ kind: "released", outcome: kind, votes: round.votes });
    });
  }

  #held(): HeldLock {
    if (this.#lock === undefined) {
      throw new Error(`worker ${this.#world.process.id} uses a lock that it does not hold`);
    }
    return this.#lock;
  }
}

function heldOf({ belief, round: acquired, longestTtlMs }: HeldLock): Held {
  return { belief, acquired, longestTtlMs };
}

/** Why a renewal ended, or what became of a lock that was handed over, shows in its belief. */
function ignoreEnd(): void {}

function failed({ code, votes }: RedlockError): WorkerResumption {
  return { kind: "failed", code, votes };
}

/** The coordinator refuses a lifetime that leaves no validity; `undefined` where it takes it. */
function ttlMisuse(ttlMs: number, rules: Rules): WorkerResumption | undefined {
  try {
    assertTtl(ttlMs, rules);
    return undefined;
  } catch (error) {
    if (error instanceof RedlockError) return failed(error);
    throw error;
  }
}
