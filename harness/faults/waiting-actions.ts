/**
 * What waits for something to happen, sorted by the kind of event that it waits for: a run has hundreds of events,
 * and most of them are waited for by nobody.
 */
import type { EventKind, HistoryEvent, WorkerId } from "../history/event.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";
import { matchesPattern } from "./event-pattern.ts";
import type { PlannedFault } from "./fault.ts";
import type { Step, Trigger } from "./trigger.ts";

export type Action =
  | { readonly kind: "apply-fault"; readonly fault: PlannedFault }
  /** What a fault did is undone; the backend then reports `fault-healed`. */
  | { readonly kind: "heal-fault"; readonly fault: PlannedFault }
  | { readonly kind: "start-worker"; readonly worker: WorkerPlan };

export interface Waiting {
  readonly trigger: Exclude<Trigger, { readonly kind: "at" }>;
  /** Place in the plan. */
  readonly rank: number;
  readonly action: Action;
  /** How often what it waits for has happened. */
  matchCount: number;
}

const NOBODY: readonly Waiting[] = [];

export class WaitingActions {
  readonly #forEvent = new Map<EventKind, Waiting[]>();
  #forEffect: Waiting[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get watchesEffects(): boolean {
    return this.#forEffect.length > 0;
  }

  add(waiting: Waiting): void {
    const { trigger } = waiting;
    this.#size += 1;
    if (trigger.kind === "before-effect") {
      this.#forEffect.push(waiting);
      return;
    }
    const { kind } = trigger.event;
    this.#forEvent.set(kind, [...(this.#forEvent.get(kind) ?? []), waiting]);
  }

  /** Takes those whose time this event is. */
  takeFired(event: HistoryEvent): readonly Waiting[] {
    const candidates = this.#forEvent.get(event.kind);
    if (candidates === undefined) return NOBODY;
    const fired = candidates.filter(
      (waiting) =>
        waiting.trigger.kind === "after" && matchesPattern(event, waiting.trigger.event) && isTurnOf(waiting),
    );
    if (fired.length > 0) this.#keepFor(event.kind, (waiting) => !fired.includes(waiting));
    return fired;
  }

  /** Takes those whose time comes right before this step of the worker. */
  takeFiredBefore(worker: WorkerId, effect: Step): readonly Waiting[] {
    const fired = this.#forEffect.filter(
      (waiting) =>
        waiting.trigger.kind === "before-effect" &&
        waiting.trigger.worker === worker &&
        waiting.trigger.effect === effect &&
        isTurnOf(waiting),
    );
    this.#keepForEffect((waiting) => !fired.includes(waiting));
    return fired;
  }

  /** The dead do not start. */
  dropStartOf(worker: WorkerId): void {
    const isOther = ({ action }: Waiting): boolean => !isStartOf(worker, action);
    for (const kind of this.#forEvent.keys()) this.#keepFor(kind, isOther);
    this.#keepForEffect(isOther);
  }

  #keepFor(kind: EventKind, isKept: (waiting: Waiting) => boolean): void {
    const all = this.#forEvent.get(kind) ?? [];
    const kept = all.filter(isKept);
    this.#size -= all.length - kept.length;
    this.#forEvent.set(kind, kept);
  }

  #keepForEffect(isKept: (waiting: Waiting) => boolean): void {
    const kept = this.#forEffect.filter(isKept);
    this.#size -= this.#forEffect.length - kept.length;
    this.#forEffect = kept;
  }
}

export function isStartOf(worker: WorkerId, action: Action): boolean {
  return action.kind === "start-worker" && action.worker.id === worker;
}

/** Counts a match; true when it is the one that was waited for. */
function isTurnOf(waiting: Waiting): boolean {
  waiting.matchCount += 1;
  return waiting.matchCount === (waiting.trigger.nth ?? 1);
}
