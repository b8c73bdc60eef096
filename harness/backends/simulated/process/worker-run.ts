/**
 * A worker's procedure on its way in a virtual process: the workload that every backend runs, on the coordinator's
 * own acquire, extend and release. The synchronous twin of the local backend's worker driver.
 */
import { acquire, type AcquireOutcome } from "../../../../src/core/acquire.ts";
import type { Belief } from "../../../../src/core/belief.ts";
import { extend } from "../../../../src/core/extend.ts";
import { release } from "../../../../src/core/release.ts";
import type { Round } from "../../../../src/core/round.ts";
import type { Rules } from "../../../../src/core/rules.ts";
import { RedlockError } from "../../../../src/errors.ts";
import { assertTtl } from "../../../../src/options.ts";
import { overError } from "../../../../src/over-error.ts";
import type { TokenSource } from "../../../../src/ports/token-source.ts";
import type { HoldId, WorkerEvent } from "../../../history/event.ts";
import type { WriteRequest } from "../../../workload/protected-resource.ts";
import type { WorkerEffect, WorkerProcedure, WorkerResumption } from "../../../workload/worker-effect.ts";
import { watchBelief } from "./belief-watch.ts";
import { type CoordinatorWorld, startProcedure } from "./procedure-run.ts";

export interface WorkerWorld extends CoordinatorWorld {
  readonly rules: Rules;
  /** Writes an event down, stamped now. */
  readonly note: (event: WorkerEvent) => void;
  readonly write: (request: WriteRequest, settle: (accepted: boolean) => void) => void;
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
    const { process } = this.#world;
    switch (effect.kind) {
      case "note":
        this.#world.note(effect.event);
        return DONE;
      case "sleep":
        process.at(process.nowMs() + effect.forMs, () => this.#advance(DONE));
        return undefined;
      case "acquire":
        return this.#acquire(effect);
      case "extend":
        return this.#extend(effect.ttlMs);
      case "remaining":
        return { kind: "remaining", remainingMs: this.#held().belief.remainingMs(process.nowMs()) };
      case "write":
        this.#world.write({ ...effect, worker: process.id }, (accepted) => {
          this.#advance({ kind: "written", accepted });
        });
        return undefined;
      case "release":
        this.#release();
        return undefined;
    }
  }

  #acquire(effect: EffectOf<"acquire">): WorkerResumption | undefined {
    const { resource, ttlMs, waitMs, fencing, hold } = effect;
    const { rules } = this.#world;
    const misuse = ttlMisuse(ttlMs, rules);
    if (misuse !== undefined) return misuse;
    const request = { resource, ttlMs, waitMs, tokenSource: fencing ? VIRTUAL_COUNTER : undefined };
    startProcedure(acquire(request, rules), this.#world, (outcome) => {
      this.#advance(this.#takeOutcome(outcome, hold, ttlMs));
    });
    return undefined;
  }

  #takeOutcome(outcome: AcquireOutcome, hold: HoldId, ttlMs: number): WorkerResumption {
    const { votes } = outcome.round;
    if (outcome.kind === "failed") return { kind: "failed", code: outcome.code, votes };
    const { process } = this.#world;
    const { belief, fencingToken } = outcome;
    this.#lock = { belief, round: outcome.round, longestTtlMs: ttlMs };
    watchBelief(belief, process, (reason) => {
      this.#world.note({ kind: "belief-ended", worker: process.id, hold, reason });
    });
    return {
      kind: "granted",
      value: belief.value,
      deadlineMs: process.runTimeMs(belief.deadlineMs),
      remainingMs: belief.remainingMs(process.nowMs()),
      votes,
      ...(fencingToken === undefined ? {} : { fencingToken: fencingToken.toString() }),
    };
  }

  #extend(ttlMs: number): WorkerResumption | undefined {
    const { rules, process } = this.#world;
    const misuse = ttlMisuse(ttlMs, rules);
    if (misuse !== undefined) return misuse;
    const lock = this.#held();
    const { belief } = lock;
    lock.longestTtlMs = Math.max(lock.longestTtlMs, ttlMs);
    startProcedure(extend(belief, ttlMs, rules), this.#world, (outcome) => {
      if (outcome.kind === "over") {
        this.#advance(failed(overError(outcome.ending, belief.resource, outcome.round?.votes)));
        return;
      }
      lock.round = outcome.round;
      const { votes } = outcome.round;
      this.#advance({ kind: "extended", deadlineMs: process.runTimeMs(belief.deadlineMs), votes });
    });
    return undefined;
  }

  #release(): void {
    const { belief, round: acquired, longestTtlMs } = this.#held();
    const held = { belief, acquired, longestTtlMs };
    startProcedure(release(held, this.#world.rules), this.#world, ({ kind, round }) => {
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

function failed({ code, votes }: RedlockError): WorkerResumption {
  return { kind: "failed", code, votes };
}

/** The coordinator refuses a lifetime that leaves no validity; `undefined` where it takes it. */
function ttlMisuse(ttlMs: number, { driftFactor }: Rules): WorkerResumption | undefined {
  try {
    assertTtl(ttlMs, driftFactor);
    return undefined;
  } catch (error) {
    if (error instanceof RedlockError) return failed(error);
    throw error;
  }
}
