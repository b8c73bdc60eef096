/**
 * Decides when a plan's workers start and its faults begin and end. It only watches and answers: a backend tells
 * it every event, asks what is due, and performs that. Real and simulated backends use the same one, so a story
 * unfolds by the same rules everywhere.
 *
 * Each action is handed out once. What is due at one time comes in plan order: faults, then workers.
 */
import type { HistoryEvent, WorkerId } from "../history/event.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";
import { faultDurationMs, type PlannedFault } from "./fault.ts";
import type { Step, Trigger } from "./trigger.ts";
import { type Action, isStartOf, type Waiting, WaitingActions } from "./waiting-actions.ts";

export type { Action };

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

const NOTHING: readonly Action[] = [];

interface Scheduled {
  readonly dueMs: number;
  /** Place in the plan. */
  readonly rank: number;
  readonly action: Action;
}

type FaultState = "planned" | "applying" | "applied" | "healing" | "healed";

export class Director {
  readonly #plan: DirectedPlan;
  /** In the order in which it comes. */
  readonly #scheduled: Scheduled[] = [];
  readonly #waiting = new WaitingActions();
  readonly #started = new Set<WorkerId>();
  readonly #ended = new Set<WorkerId>();
  readonly #faultStates = new Map<string, FaultState>();
  /** Faults that are being applied or healed. */
  readonly #underway = new Set<string>();
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
    if (event.kind === "fault-healed") this.#setState(event.fault, "healed");
    this.#scheduleAll(this.#waiting.takeFired(event), event.atMs);
  }

  /** Takes note that a worker is about to take a step; needed where `watchesEffects`. */
  observeEffect(worker: WorkerId, effect: Step, nowMs: number): void {
    this.#scheduleAll(this.#waiting.takeFiredBefore(worker, effect), nowMs);
  }

  /** Whether anything still waits for an effect. */
  get watchesEffects(): boolean {
    return this.#waiting.watchesEffects;
  }

  /** Takes what has to be done by `nowMs`: earliest first, then in plan order. */
  due(nowMs: number): readonly Action[] {
    const dueCount = this.#scheduled.findIndex(({ dueMs }) => dueMs > nowMs);
    if (dueCount === 0 || this.#scheduled.length === 0) return NOTHING;
    const due = this.#scheduled.splice(0, dueCount < 0 ? this.#scheduled.length : dueCount);
    for (const { action } of due) this.#handOut(action);
    return due.map(({ action }) => action);
  }

  /**
   * When to ask again if no event comes before; `undefined`: only an event can bring something. The answer stays until
   * an event is told or something is taken.
   */
  nextDueMs(): number | undefined {
    const [next] = this.#scheduled;
    if (next !== undefined) return next.dueMs;
    return this.#waiting.size > 0 && this.#isQuiet() ? this.#lastEventMs + LATE_EVENT_GRACE_MS : undefined;
  }

  /** Whether the story is over by `nowMs`. */
  isStoryOver(nowMs: number): boolean {
    return nowMs >= this.storyOverFromMs();
  }

  /**
   * When no worker can do anything any more, unless an event comes before: each is done or dead, or waits for
   * something that nothing is left to bring about.
   */
  storyOverFromMs(): number {
    if (this.#plan.workers.every(({ id }) => this.#ended.has(id))) return 0;
    return this.#isQuiet() ? this.#lastEventMs + LATE_EVENT_GRACE_MS : Infinity;
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
    if (trigger.kind === "at") this.#schedule({ dueMs: trigger.atMs, rank, action });
    else this.#waiting.add({ trigger, rank, action, matchCount: 0 });
  }

  #scheduleAll(fired: readonly Waiting[], atMs: number): void {
    for (const { trigger, rank, action } of fired) {
      const delayMs = trigger.kind === "after" ? (trigger.delayMs ?? 0) : 0;
      this.#schedule({ dueMs: atMs + delayMs, rank, action });
    }
  }

  #schedule(scheduled: Scheduled): void {
    const later = this.#scheduled.findIndex((other) => byTimeThenPlan(other, scheduled) > 0);
    this.#scheduled.splice(later < 0 ? this.#scheduled.length : later, 0, scheduled);
  }

  /** A fault heals its duration after it took hold, however long applying it took. */
  #planHeal(faultId: string, atMs: number): void {
    const rank = this.#plan.faults.findIndex(({ id }) => id === faultId);
    const fault = this.#plan.faults[rank];
    // An event of a fault that was not handed out is none of ours, or the heal would come twice.
    if (fault === undefined || this.#faultStates.get(faultId) !== "applying") return;

    this.#setState(faultId, "applied");
    const durationMs = faultDurationMs(fault.fault);
    if (durationMs === undefined) return;
    this.#schedule({ dueMs: atMs + durationMs, rank, action: { kind: "heal-fault", fault } });
  }

  /** The dead do not start. */
  #bury(worker: WorkerId): void {
    this.#ended.add(worker);
    const start = this.#scheduled.findIndex(({ action }) => isStartOf(worker, action));
    if (start >= 0) this.#scheduled.splice(start, 1);
    this.#waiting.dropStartOf(worker);
  }

  #handOut(action: Action): void {
    if (action.kind === "start-worker") this.#started.add(action.worker.id);
    if (action.kind === "apply-fault") this.#setState(action.fault.id, "applying");
    if (action.kind === "heal-fault") this.#setState(action.fault.id, "healing");
  }

  #setState(faultId: string, state: FaultState): void {
    this.#faultStates.set(faultId, state);
    if (state === "applying" || state === "healing") this.#underway.add(faultId);
    else this.#underway.delete(faultId);
  }

  /** Nothing is scheduled, nothing is being done, and no worker is at work. */
  #isQuiet(): boolean {
    if (this.#scheduled.length > 0 || this.#underway.size > 0) return false;
    for (const worker of this.#started) if (!this.#ended.has(worker)) return false;
    return true;
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
