/**
 * Decides when a plan's workers start and its faults begin and end. It only watches and answers: a backend tells
 * it every event, asks what is due, and performs that. Real and simulated backends use the same one, so a story
 * unfolds by the same rules everywhere.
 *
 * Each action is handed out once. What is due at one time comes in plan order: faults, then workers.
 */
import type { HistoryEvent, WorkerId } from "../history/event.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";
import { matchesPattern } from "./event-pattern.ts";
import { faultDurationMs, type PlannedFault } from "./fault.ts";
import type { Step, Trigger } from "./trigger.ts";

export type Action =
  | { readonly kind: "apply-fault"; readonly fault: PlannedFault }
  /** What a fault did is undone; the backend then reports `fault-healed`. */
  | { readonly kind: "heal-fault"; readonly fault: PlannedFault }
  | { readonly kind: "start-worker"; readonly worker: WorkerPlan };

/** The part of a run plan that the director reads. */
export interface DirectedPlan {
  readonly workers: readonly WorkerPlan[];
  readonly faults: readonly PlannedFault[];
}

/**
 * How long a run in which nothing goes on is kept open for triggers that still wait: what is seen on a node is
 * reported a little after the worker that caused it has finished.
 */
export const LATE_EVENT_GRACE_MS = 200;

interface Scheduled {
  readonly dueMs: number;
  /** Place in the plan. */
  readonly rank: number;
  readonly action: Action;
}

interface Waiting {
  readonly trigger: Exclude<Trigger, { readonly kind: "at" }>;
  readonly rank: number;
  readonly action: Action;
  matchCount: number;
}

type FaultState = "planned" | "applying" | "applied" | "healing" | "healed";

export class Director {
  readonly #plan: DirectedPlan;
  #scheduled: readonly Scheduled[] = [];
  #waiting: readonly Waiting[] = [];
  readonly #started = new Set<WorkerId>();
  readonly #ended = new Set<WorkerId>();
  readonly #faultStates = new Map<string, FaultState>();
  #lastEventMs = 0;

  constructor(plan: DirectedPlan) {
    this.#plan = plan;
    for (const [rank, fault] of plan.faults.entries()) {
      this.#faultStates.set(fault.id, "planned");
      this.#arm(fault.when, rank, { kind: "apply-fault", fault });
    }
    for (const [index, worker] of plan.workers.entries()) {
      this.#arm(worker.startWhen, plan.faults.length + index, { kind: "start-worker", worker });
    }
  }

  /** Takes note of an event. Every event of the run has to be told, in order. */
  observe(event: HistoryEvent): void {
    this.#lastEventMs = Math.max(this.#lastEventMs, event.atMs);
    if (event.kind === "worker-finished") this.#ended.add(event.worker);
    if (event.kind === "worker-killed") this.#bury(event.worker);
    if (event.kind === "fault-applied") this.#planHeal(event.fault, event.atMs);
    if (event.kind === "fault-healed") this.#faultStates.set(event.fault, "healed");
    this.#fire(event);
  }

  /** Takes note that a worker is about to take a step; needed where `watchesEffects`. */
  observeEffect(worker: WorkerId, effect: Step, nowMs: number): void {
    this.#fireMatching(
      nowMs,
      ({ trigger }) =>
        trigger.kind === "before-effect" && trigger.worker === worker && trigger.effect === effect,
    );
  }

  /** Whether anything still waits for an effect. */
  get watchesEffects(): boolean {
    return this.#waiting.some(({ trigger }) => trigger.kind === "before-effect");
  }

  /** Takes what has to be done by `nowMs`: earliest first, then in plan order. */
  due(nowMs: number): readonly Action[] {
    const due = this.#scheduled.filter(({ dueMs }) => dueMs <= nowMs);
    this.#scheduled = this.#scheduled.filter(({ dueMs }) => dueMs > nowMs);
    const actions = due.toSorted(byTimeThenPlan).map(({ action }) => action);
    for (const action of actions) this.#handOut(action);
    return actions;
  }

  /** When to ask again if no event comes before; `undefined`: only an event can bring something. */
  nextDueMs(): number | undefined {
    const times = this.#scheduled.map(({ dueMs }) => dueMs);
    if (this.#waiting.length > 0 && this.#isQuiet()) times.push(this.#lastEventMs + LATE_EVENT_GRACE_MS);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * True when no worker can do anything any more: each is done or dead, or waits for something that nothing
   * is left to bring about.
   */
  isStoryOver(nowMs: number): boolean {
    if (this.#plan.workers.every(({ id }) => this.#ended.has(id))) return true;
    return this.#isQuiet() && nowMs >= this.#lastEventMs + LATE_EVENT_GRACE_MS;
  }

  /** The faults that were never applied and the workers that were never started, one sentence each. */
  leftOver(): readonly string[] {
    const faults = this.#plan.faults.filter(({ id }) => this.#faultStates.get(id) === "planned");
    const workers = this.#plan.workers.filter(({ id }) => !this.#started.has(id));
    return [
      ...faults.map(({ id, when }) => `Fault ${id} was never applied: it waited ${describe(when)}.`),
      ...workers.map(({ id, startWhen }) => `Worker ${id} never started: it waited ${describe(startWhen)}.`),
    ];
  }

  #arm(trigger: Trigger, rank: number, action: Action): void {
    if (trigger.kind === "at") {
      this.#scheduled = [...this.#scheduled, { dueMs: trigger.atMs, rank, action }];
    } else {
      this.#waiting = [...this.#waiting, { trigger, rank, action, matchCount: 0 }];
    }
  }

  #fire(event: HistoryEvent): void {
    this.#fireMatching(
      event.atMs,
      ({ trigger }) => trigger.kind === "after" && matchesPattern(event, trigger.event),
    );
  }

  #fireMatching(atMs: number, matches: (waiting: Waiting) => boolean): void {
    const matching = this.#waiting.filter(matches);
    for (const waiting of matching) waiting.matchCount += 1;

    const ready = matching.filter(({ trigger, matchCount }) => matchCount === (trigger.nth ?? 1));
    this.#waiting = this.#waiting.filter((waiting) => !ready.includes(waiting));
    this.#scheduled = [
      ...this.#scheduled,
      ...ready.map(({ trigger, rank, action }) => ({
        dueMs: atMs + (trigger.kind === "after" ? (trigger.delayMs ?? 0) : 0),
        rank,
        action,
      })),
    ];
  }

  /** A fault heals its duration after it took hold, however long applying it took. */
  #planHeal(faultId: string, atMs: number): void {
    const rank = this.#plan.faults.findIndex(({ id }) => id === faultId);
    const fault = this.#plan.faults[rank];
    // An event of a fault that was not handed out is none of ours, or the heal would come twice.
    if (fault === undefined || this.#faultStates.get(faultId) !== "applying") return;

    this.#faultStates.set(faultId, "applied");
    const durationMs = faultDurationMs(fault.fault);
    if (durationMs === undefined) return;
    const heal: Action = { kind: "heal-fault", fault };
    this.#scheduled = [...this.#scheduled, { dueMs: atMs + durationMs, rank, action: heal }];
  }

  /** The dead do not start. */
  #bury(worker: WorkerId): void {
    this.#ended.add(worker);
    const isOfTheLiving = ({ action }: { readonly action: Action }): boolean =>
      action.kind !== "start-worker" || action.worker.id !== worker;
    this.#scheduled = this.#scheduled.filter(isOfTheLiving);
    this.#waiting = this.#waiting.filter(isOfTheLiving);
  }

  #handOut(action: Action): void {
    if (action.kind === "start-worker") this.#started.add(action.worker.id);
    if (action.kind === "apply-fault") this.#faultStates.set(action.fault.id, "applying");
    if (action.kind === "heal-fault") this.#faultStates.set(action.fault.id, "healing");
  }

  /** Nothing is scheduled, nothing is being done, and no worker is at work. */
  #isQuiet(): boolean {
    const isBusy = [...this.#faultStates.values()].some(
      (state) => state === "applying" || state === "healing",
    );
    const isAtWork = [...this.#started].some((worker) => !this.#ended.has(worker));
    return this.#scheduled.length === 0 && !isBusy && !isAtWork;
  }
}

function byTimeThenPlan(left: Scheduled, right: Scheduled): number {
  return left.dueMs - right.dueMs || left.rank - right.rank;
}

function describe(trigger: Trigger): string {
  if (trigger.kind === "at") return `for ${trigger.atMs} ms`;
  if (trigger.kind === "before-effect")
    return `for ${trigger.worker} to ${trigger.effect}${countText(trigger)}`;
  const { kind, worker, node, fault } = trigger.event;
  const whose = [worker, node, fault].filter((name) => name !== undefined);
  return `for ${[kind, ...whose].join(" of ")}${countText(trigger)}`;
}

function countText({ nth = 1 }: { readonly nth?: number }): string {
  return nth === 1 ? "" : ` number ${nth}`;
}
