/**
 * Rehearses a story without servers: the real director and the real workload on nodes that answer at once. It knows
 * expiry, forgetting and cut links, nothing of delay, so it says whether a story unfolds as it is told, and not
 * whether a lock is right.
 */
import { type Action, Director } from "../harness/faults/director.ts";
import type { Fault, PlannedFault } from "../harness/faults/fault.ts";
import { faultTargets } from "../harness/faults/fault.ts";
import type { EventBody, HistoryEvent, NodeName, WorkerId } from "../harness/history/event.ts";
import type { RunPlan } from "../harness/scenario/run-plan.ts";
import type { WorkerEffect, WorkerProcedure, WorkerResumption } from "../harness/workload/worker-effect.ts";
import { worker } from "../harness/workload/worker-procedure.ts";
import type { Vote } from "../src/ports/vote.ts";

const RETRY_MS = 50;
const STEPS_MAX = 10_000;
const DONE: WorkerResumption = { kind: "done" };

interface Node {
  readonly name: NodeName;
  isUp: boolean;
  key: { readonly value: string; readonly expiresAtMs: number } | undefined;
}

interface Actor {
  readonly id: WorkerId;
  readonly procedure: WorkerProcedure;
  value: string;
  deadlineMs: number;
  isPaused: boolean;
  isDead: boolean;
  /** What came while it was paused. */
  missed: (() => void) | undefined;
}

type Acquire = Extract<WorkerEffect, { kind: "acquire" }>;
type Waits = Exclude<WorkerEffect, { kind: "note" }>;

export interface Rehearsal {
  readonly events: readonly HistoryEvent[];
  /** What of the plan never came. */
  readonly leftOver: readonly string[];
  readonly isOver: boolean;
  readonly endMs: number;
}

export function rehearse(plan: RunPlan): Rehearsal {
  return new Stage(plan).play();
}

class Stage {
  readonly #plan: RunPlan;
  readonly #director: Director;
  readonly #nodes: readonly Node[];
  readonly #actors = new Map<WorkerId, Actor>();
  readonly #cuts = new Map<string, Fault>();
  readonly #events: HistoryEvent[] = [];
  #timers: readonly { readonly dueMs: number; readonly run: () => void }[] = [];
  #nowMs = 0;
  #drawn = 0;
  #highestToken = 0;

  constructor(plan: RunPlan) {
    this.#plan = plan;
    this.#director = new Director(plan);
    this.#nodes = plan.nodes.map((name) => ({ name, isUp: true, key: undefined }));
  }

  play(): Rehearsal {
    const isOver = (): boolean => this.#director.isStoryOver(this.#nowMs);
    for (let steps = 0; steps < STEPS_MAX && !isOver(); steps += 1) {
      for (const action of this.#director.due(this.#nowMs)) this.#perform(action);
      const next = Math.min(
        this.#director.nextDueMs() ?? Number.POSITIVE_INFINITY,
        ...this.#timers.map(({ dueMs }) => dueMs),
      );
      if (!Number.isFinite(next)) break;
      this.#nowMs = Math.max(this.#nowMs, next);
      const ripe = this.#timers.filter(({ dueMs }) => dueMs <= this.#nowMs);
      this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.#nowMs);
      for (const { run } of ripe) run();
    }
    const leftOver = this.#director.leftOver();
    return { events: this.#events, leftOver, isOver: isOver(), endMs: this.#nowMs };
  }

  #emit(body: EventBody): void {
    const event: HistoryEvent = { ...body, seq: this.#events.length, atMs: this.#nowMs };
    this.#events.push(event);
    this.#director.observe(event);
  }

  #after(delayMs: number, run: () => void): void {
    this.#timers = [...this.#timers, { dueMs: this.#nowMs + delayMs, run }];
  }

  #perform(action: Action): void {
    if (action.kind === "start-worker") {
      const { id } = action.worker;
      const procedure = worker(action.worker, { fencing: this.#plan.settings.fencing });
      const idle = { value: "", deadlineMs: 0, isPaused: false, isDead: false, missed: undefined };
      const actor: Actor = { id, procedure, ...idle };
      this.#actors.set(id, actor);
      this.#resume(actor, DONE);
      return;
    }
    if (action.kind === "apply-fault") this.#apply(action.fault);
    else this.#heal(action.fault);
    const { id, fault } = action.fault;
    const kind = action.kind === "apply-fault" ? "fault-applied" : "fault-healed";
    this.#emit({ kind, fault: id, ...faultTargets(fault) });
  }

  #apply({ id, fault }: PlannedFault): void {
    if (fault.kind === "cut-link") this.#cuts.set(id, fault);
    const node = this.#nodes.find(({ name }) => "node" in fault && fault.node === name);
    const actor = "worker" in fault ? this.#actors.get(fault.worker) : undefined;
    if (fault.kind === "pause-worker" && actor !== undefined) {
      actor.isPaused = true;
      this.#emit({ kind: "worker-paused", worker: actor.id });
    }
    if (fault.kind === "crash-worker" && actor !== undefined) {
      actor.isDead = true;
      this.#emit({ kind: "worker-killed", worker: actor.id });
    }
    if (fault.kind === "jump-clock" && node !== undefined) {
      if (node.key !== undefined) node.key = { ...node.key, expiresAtMs: node.key.expiresAtMs - fault.byMs };
      this.#emit({ kind: "clock-jumped", node: node.name, byMs: fault.byMs });
    }
    if ((fault.kind === "crash-node" || fault.kind === "lose-power") && node !== undefined) {
      const { persistence } = this.#plan.settings;
      node.isUp = false;
      if (persistence === "none" || (fault.kind === "lose-power" && persistence === "aof-everysec")) {
        node.key = undefined;
      }
      this.#emit({ kind: "node-down", node: node.name, cause: "killed" });
    }
  }

  #heal({ id, fault }: PlannedFault): void {
    this.#cuts.delete(id);
    const node = this.#nodes.find(({ name }) => "node" in fault && fault.node === name);
    const actor = "worker" in fault ? this.#actors.get(fault.worker) : undefined;
    if (node?.isUp === false) {
      node.isUp = true;
      this.#emit({ kind: "node-up", node: node.name });
    }
    if (actor?.isPaused === true) {
      actor.isPaused = false;
      this.#emit({ kind: "worker-resumed", worker: actor.id });
      if (actor.missed !== undefined) this.#after(0, actor.missed);
    }
  }

  #resume(actor: Actor, answer: WorkerResumption): void {
    if (actor.isDead) return;
    if (actor.isPaused) {
      actor.missed = () => this.#resume(actor, answer);
      return;
    }
    let step = actor.procedure.next(answer);
    while (step.done !== true && step.value.kind === "note") {
      this.#emit(step.value.event);
      step = actor.procedure.next(DONE);
    }
    if (step.done !== true && step.value.kind !== "note") this.#begin(actor, step.value);
  }

  #begin(actor: Actor, effect: Waits): void {
    const answer = (delayMs: number, resumption: WorkerResumption): void =>
      this.#after(delayMs, () => this.#resume(actor, resumption));
    switch (effect.kind) {
      case "sleep":
        return answer(effect.forMs, DONE);
      case "acquire":
        return this.#acquire(actor, effect, this.#nowMs + effect.waitMs);
      case "extend":
        return answer(1, { kind: "extended", deadlineMs: actor.deadlineMs, votes: [] });
      case "remaining":
        return answer(0, { kind: "remaining", remainingMs: Math.max(0, actor.deadlineMs - this.#nowMs) });
      case "write":
        return answer(1, { kind: "written", accepted: this.#judge(actor, effect) });
      case "release":
        this.#undo(actor);
        return answer(1, { kind: "released", outcome: "released", votes: [] });
    }
  }

  #acquire(actor: Actor, request: Acquire, untilMs: number): void {
    const { quorum, driftFactor } = this.#plan.settings;
    const { ttlMs } = request;
    this.#drawn += 1;
    actor.value = `${actor.id} ${this.#drawn}`;
    const reached = this.#reached(actor);
    const free = reached.filter(({ key }) => key === undefined || key.expiresAtMs <= this.#nowMs);
    for (const node of free) node.key = { value: actor.value, expiresAtMs: this.#nowMs + ttlMs };
    if (free.length >= quorum) {
      actor.deadlineMs = this.#nowMs + ttlMs - Math.ceil(ttlMs * driftFactor) - 2;
      const votes = free
        .slice(0, quorum)
        .map(({ name }): Vote => ({ node: name, kind: "granted", roundTripMs: 1 }));
      const granted = { kind: "granted", value: actor.value, deadlineMs: actor.deadlineMs, votes } as const;
      const token = request.fencing ? { fencingToken: String(this.#drawn) } : {};
      this.#after(1, () => this.#resume(actor, { ...granted, remainingMs: ttlMs, ...token }));
      return;
    }
    this.#undo(actor);
    if (this.#nowMs + RETRY_MS <= untilMs) {
      this.#after(RETRY_MS, () => this.#acquire(actor, request, untilMs));
    } else {
      const code = reached.length > free.length ? "contended" : "unavailable";
      this.#after(1, () => this.#resume(actor, { kind: "failed", code, votes: [] }));
    }
  }

  #reached({ id }: Actor): readonly Node[] {
    const isCut = ({ name }: Node): boolean =>
      [...this.#cuts.values()]
        .map(faultTargets)
        .some(({ workers, nodes }) => workers.includes(id) && nodes.includes(name));
    return this.#nodes.filter((node) => node.isUp && !isCut(node));
  }

  #undo(actor: Actor): void {
    for (const node of this.#reached(actor)) {
      if (node.key?.value === actor.value) node.key = undefined;
    }
  }

  #judge(
    { id }: Actor,
    { resource, hold, write, fencingToken }: Extract<WorkerEffect, { kind: "write" }>,
  ): boolean {
    const token = Number(fencingToken ?? Number.POSITIVE_INFINITY);
    const accepted = token >= this.#highestToken;
    if (fencingToken !== undefined) this.#highestToken = Math.max(this.#highestToken, token);
    const acceptedIfFenced = accepted;
    this.#emit({ kind: "write-judged", resource, worker: id, hold, write, accepted, acceptedIfFenced });
    return accepted;
  }
}
