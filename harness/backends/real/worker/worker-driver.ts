/** Performs the effects of a worker's procedure with the real coordinator. */
import { setTimeout as delay } from "node:timers/promises";
import { type Lock, type Redlock, RedlockError, type TokenSource } from "../../../../src/index.ts";
import type { HoldId, WorkerEvent, WorkerId } from "../../../history/event.ts";
import type { WorkerEffect, WorkerProcedure, WorkerResumption } from "../../../workload/worker-effect.ts";
import type { AskResource } from "../resource/resource-client.ts";
import type { RunClock } from "../play/run-clock.ts";

export interface WorkerWorld {
  readonly id: WorkerId;
  readonly redlock: Redlock;
  readonly tokens: TokenSource | undefined;
  readonly clock: RunClock;
  /** Writes an event down, stamped now. */
  readonly note: (event: WorkerEvent) => void;
  readonly askResource: AskResource;
}

const DONE: WorkerResumption = { kind: "done" };

export class WorkerDriver {
  readonly #world: WorkerWorld;
  #lock: Lock | undefined;

  constructor(world: WorkerWorld) {
    this.#world = world;
  }

  async run(procedure: WorkerProcedure): Promise<void> {
    let step = procedure.next(DONE);
    while (step.done !== true) {
      const effect = step.value;
      // An event is stamped in the very step that caused it, so a note never waits for the event loop.
      step = procedure.next(effect.kind === "note" ? this.#note(effect.event) : await this.#perform(effect));
    }
  }

  #note(event: WorkerEvent): WorkerResumption {
    this.#world.note(event);
    return DONE;
  }

  async #perform(effect: Exclude<WorkerEffect, { kind: "note" }>): Promise<WorkerResumption> {
    switch (effect.kind) {
      case "sleep":
        await delay(effect.forMs);
        return DONE;
      case "acquire":
        return await this.#acquire(effect);
      case "extend":
        return await this.#extend(effect.ttlMs);
      case "remaining":
        return { kind: "remaining", remainingMs: this.#held().remainingMs() };
      case "write":
      case "read":
      case "stamp":
        return await this.#visit(effect);
      case "release":
        return await this.#release();
      case "ask-replica":
      case "renew":
        // The backend refuses a plan that asks for it before anything is started.
        throw new Error(`a real worker cannot ${effect.kind}`);
    }
  }

  async #visit(
    effect: Extract<WorkerEffect, { kind: "write" | "read" | "stamp" }>,
  ): Promise<WorkerResumption> {
    const { id: worker, askResource } = this.#world;
    switch (effect.kind) {
      case "write": {
        const { kind, ...request } = effect;
        const { accepted } = await askResource({ kind, request: { ...request, worker } });
        return { kind: "written", accepted };
      }
      case "read": {
        const { kind, ...request } = effect;
        const { accepted, saw = null } = await askResource({ kind, request: { ...request, worker } });
        return { kind: "was-read", accepted, saw };
      }
      case "stamp": {
        const { kind, ...request } = effect;
        await askResource({ kind, request: { ...request, worker } });
        return DONE;
      }
    }
  }

  async #acquire(request: Extract<WorkerEffect, { kind: "acquire" }>): Promise<WorkerResumption> {
    const { redlock, tokens, clock } = this.#world;
    const fencing = request.fencing && tokens !== undefined ? { fencing: tokens } : {};
    try {
      const acquiring = redlock.acquire(request.resource, request.ttlMs, {
        waitMs: request.waitMs,
        ...fencing,
      });
      // It stands in line now; what is held goes to it.
      if (request.isHandOver) void this.#held().release();
      const lock = await acquiring;
      const remainingMs = lock.remainingMs();
      this.#lock = lock;
      this.#noteEndOfBelief(lock, request.hold);
      return {
        kind: "granted",
        value: lock.value,
        deadlineMs: clock.fromMonotonicMs(lock.deadlineMs),
        remainingMs,
        votes: lock.votes,
        ...(lock.fencingToken === undefined ? {} : { fencingToken: lock.fencingToken.toString() }),
      };
    } catch (error) {
      return failed(error);
    }
  }

  async #extend(ttlMs: number): Promise<WorkerResumption> {
    const lock = this.#held();
    try {
      await lock.extend(ttlMs);
      return {
        kind: "extended",
        deadlineMs: this.#world.clock.fromMonotonicMs(lock.deadlineMs),
        votes: lock.votes,
      };
    } catch (error) {
      return failed(error);
    }
  }

  async #release(): Promise<WorkerResumption> {
    const { kind, votes } = await this.#held().release();
    this.#lock = undefined;
    return { kind: "released", outcome: kind, votes };
  }

  #noteEndOfBelief(lock: Lock, hold: HoldId): void {
    const { signal } = lock;
    const note = (): void => {
      this.#world.note({
        kind: "belief-ended",
        worker: this.#world.id,
        hold,
        reason: reasonOf(signal.reason),
      });
    };
    if (signal.aborted) note();
    else signal.addEventListener("abort", note, { once: true });
  }

  #held(): Lock {
    if (this.#lock === undefined)
      throw new Error(`worker ${this.#world.id} uses a lock that it does not hold`);
    return this.#lock;
  }
}

/** Anything but the coordinator's own error is a fault of the coordinator and ends the run. */
function failed(error: unknown): WorkerResumption {
  if (!(error instanceof RedlockError)) throw error;
  return { kind: "failed", code: error.code, votes: error.votes };
}

function reasonOf(reason: unknown): "expired" | "lost" | "released" {
  if (reason instanceof RedlockError && (reason.code === "expired" || reason.code === "lost"))
    return reason.code;
  return "released";
}
