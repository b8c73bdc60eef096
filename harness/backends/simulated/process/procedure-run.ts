/**
 * One of a strategy's procedures on its way in a virtual process: the synchronous twin of `src/runtime`. It
 * performs effects until the procedure waits, and decides nothing. A process that is paused between two effects
 * keeps the next one until it goes on.
 */
import type { Mailbox, Resumption } from "../../../../src/ports/effect.ts";
import type { LabReply } from "../../../strategies/lab-command.ts";
import type { LabEffect, LabProcedure } from "../../../strategies/lab-effect.ts";
import type { Link } from "../network/link.ts";
import type { ShortMap } from "./short-map.ts";
import type { ProcessClock, VirtualProcess } from "./virtual-process.ts";

/** What the procedures of one process share. */
export interface CoordinatorWorld {
  readonly process: VirtualProcess;
  /** What procedures read the time on, and what their times mean. */
  readonly clock: ProcessClock;
  /** In the order of the membership. */
  readonly links: readonly Link[];
  /** Who is told when a record gets a reply. */
  readonly listeners: ShortMap<Mailbox, () => void>;
  readonly drawValue: () => string;
  readonly drawFraction: () => number;
  readonly drawToken: (resource: string, settle: (token: bigint) => void) => void;
  /** Called right before each effect and each return, where some fault waits for that. */
  readonly beforeEffect: ((effect: LabEffect["kind"] | "return") => void) | undefined;
  /** Lets the faults happen that the last event brings: one of them may stop this process. */
  readonly conduct: () => void;
}

interface Wait {
  readonly untilMs: number;
  readonly onDue: Resumption;
  readonly record?: Mailbox;
}

const DONE: Resumption = { kind: "done" };
const REPLY: Resumption = { kind: "reply" };
const DEADLINE: Resumption = { kind: "deadline" };

/** Starts a procedure; `onResult` is called in the very step in which it ends. */
export function startProcedure<Result>(
  procedure: LabProcedure<Result>,
  world: CoordinatorWorld,
  onResult: (result: Result) => void,
): void {
  new ProcedureRun(procedure, world, onResult).start();
}

class ProcedureRun<Result> {
  readonly #procedure: LabProcedure<Result>;
  readonly #world: CoordinatorWorld;
  readonly #onResult: (result: Result) => void;
  #wait: Wait | undefined;
  #armedForMs: number | undefined;

  constructor(procedure: LabProcedure<Result>, world: CoordinatorWorld, onResult: (result: Result) => void) {
    this.#procedure = procedure;
    this.#world = world;
    this.#onResult = onResult;
  }

  start(): void {
    this.#advance(DONE);
  }

  #advance(resumption: Resumption): void {
    const step = this.#procedure.next(resumption);
    if (step.done === true) this.#finish(step.value);
    else this.#goOn(step.value);
  }

  /** Bounded by the procedure, which bounds its own loops. */
  #goOn(first: LabEffect): void {
    const { process, conduct, beforeEffect } = this.#world;
    let effect = first;
    for (;;) {
      beforeEffect?.(effect.kind);
      conduct();
      if (!process.isRunning) {
        const next = effect;
        process.hold(() => this.#perform(next));
        return;
      }
      const resumption = this.#answer(effect);
      if (resumption === undefined) return;
      const step = this.#procedure.next(resumption);
      if (step.done === true) {
        this.#finish(step.value);
        return;
      }
      effect = step.value;
    }
  }

  /** A process can be stopped between the last step of a call and its return too; nobody waits for what is detached. */
  #finish(result: Result): void {
    const { process, conduct, beforeEffect } = this.#world;
    if (beforeEffect === undefined || this.#onResult === ignoreResult) {
      this.#onResult(result);
      return;
    }
    beforeEffect("return");
    conduct();
    if (process.isRunning) this.#onResult(result);
    else process.hold(() => this.#onResult(result));
  }

  /** The effect that was about to be performed when the process was stopped. */
  #perform(effect: LabEffect): void {
    const resumption = this.#answer(effect);
    if (resumption !== undefined) this.#advance(resumption);
  }

  /** What the procedure is resumed with at once; `undefined` when it has to wait. */
  #answer(effect: LabEffect): Resumption | undefined {
    switch (effect.kind) {
      case "now":
        return { kind: "time", nowMs: this.#world.clock.nowMs() };
      case "draw-value":
        return { kind: "value", value: this.#world.drawValue() };
      case "draw-fraction":
        return { kind: "fraction", fraction: this.#world.drawFraction() };
      case "send":
        this.#send(effect);
        return DONE;
      case "settle":
        this.#settle(effect);
        return DONE;
      case "detach":
        startProcedure(effect.procedure, this.#world, ignoreResult);
        return DONE;
      case "notify":
        this.#world.listeners.get(effect.mailbox)?.();
        return DONE;
      case "receive":
        return this.#receive(effect.record, effect.untilMs);
      case "sleep":
        this.#begin({ untilMs: effect.untilMs, onDue: DONE });
        return undefined;
      case "draw-token":
        this.#drawToken(effect);
        return undefined;
    }
  }

  #send({ nodeIndex, command, untilMs, record }: Extract<LabEffect, { kind: "send" }>): void {
    const settle = (reply: LabReply): void => {
      // Numbers are drawn outside of rounds.
      if (reply.kind !== "counted") this.#settle({ record, nodeIndex, reply });
    };
    this.#world.links[nodeIndex]?.send(command, settle, untilMs);
  }

  #settle({
    record,
    nodeIndex,
    reply,
  }: Pick<Extract<LabEffect, { kind: "settle" }>, "record" | "nodeIndex" | "reply">): void {
    record.settle(nodeIndex, reply, this.#world.clock.nowMs());
    if (record.hasNews) this.#world.listeners.get(record)?.();
  }

  #receive(record: Mailbox, untilMs: number): Resumption | undefined {
    if (record.hasNews) {
      record.takeNews();
      return REPLY;
    }
    const wait: Wait = { untilMs, onDue: DEADLINE, record };
    this.#world.listeners.set(record, () => {
      record.takeNews();
      this.#resume(wait, REPLY);
    });
    this.#begin(wait);
    return undefined;
  }

  #drawToken({ resource, untilMs }: Extract<LabEffect, { kind: "draw-token" }>): void {
    const wait: Wait = { untilMs, onDue: DEADLINE };
    this.#begin(wait);
    this.#world.drawToken(resource, (token) => this.#resume(wait, { kind: "token", token }));
  }

  #begin(wait: Wait): void {
    this.#wait = wait;
    if (wait.untilMs !== Infinity) this.#arm(wait.untilMs);
  }

  #resume(wait: Wait, resumption: Resumption): void {
    if (this.#wait !== wait) return;
    this.#wait = undefined;
    if (wait.record !== undefined) this.#world.listeners.delete(wait.record);
    this.#advance(resumption);
  }

  /** A timer that is set for the same moment stays: a round has one, not one for each reply. */
  #arm(untilMs: number): void {
    if (this.#armedForMs === untilMs) return;
    this.#armedForMs = untilMs;
    this.#world.clock.at(untilMs, () => {
      if (this.#armedForMs !== untilMs) return;
      this.#armedForMs = undefined;
      const wait = this.#wait;
      if (wait?.untilMs === untilMs) this.#resume(wait, wait.onDue);
    });
  }
}

/** Orphans are for the coordinator's user to count; here the nodes themselves are looked at. */
function ignoreResult(): void {}
