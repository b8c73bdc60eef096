/**
 * From a schedule that fails to the smallest one that still does: fewer faults, nodes and workers, these with less
 * to do, and rounder times. Delta debugging on the plan: a step is kept where the smaller plan fails the same way and lifts
 * nothing more of the envelope than was allowed.
 */
import type { PlannedFault } from "../faults/fault.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { unreachableNames } from "../scenario/reachable.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";
import type { Allowance } from "./allowance.ts";
import { firstOutside } from "./envelope.ts";
import { withFewerNodes } from "./fewer-nodes.ts";
import { smallerFaults } from "./smaller-faults.ts";
import { roundings } from "./roundings.ts";

export interface ShrinkBounds {
  readonly allow: readonly Allowance[];
  /** How many plans may be tried. */
  readonly triesMax: number;
}

export interface ShrinkOptions extends ShrinkBounds {
  /** Whether a plan shows what the first one showed. */
  readonly fails: (plan: RunPlan) => boolean;
}

export interface Shrunk {
  readonly plan: RunPlan;
  readonly triesCount: number;
}

export function shrinkSchedule(plan: RunPlan, { fails, ...bounds }: ShrinkOptions): Shrunk {
  const steps = new Shrinking(plan, bounds).steps();
  let step = steps.next(false);
  while (step.done !== true) step = steps.next(fails(step.value));
  return step.value;
}

/** As `shrinkSchedule`, for whoever has to wait for the answer: yields a plan, and is told whether it fails. */
export function shrinkingSteps(plan: RunPlan, bounds: ShrinkBounds): ShrinkSteps {
  return new Shrinking(plan, bounds).steps();
}

export type ShrinkSteps = Generator<RunPlan, Shrunk, boolean>;

class Shrinking {
  readonly #bounds: ShrinkBounds;
  #smallest: RunPlan;
  #triesCount = 0;

  constructor(plan: RunPlan, bounds: ShrinkBounds) {
    this.#bounds = bounds;
    this.#smallest = plan;
  }

  /** Each round that changes nothing ends it; each one that does leaves less to be taken away. */
  *steps(): ShrinkSteps {
    let isSmaller = true;
    while (isSmaller && this.#hasTriesLeft) {
      isSmaller = false;
      for (const pass of PASSES) isSmaller = (yield* this.#exhaust(pass)) || isSmaller;
    }
    return { plan: this.#smallest, triesCount: this.#triesCount };
  }

  /** A step that is kept makes others possible: the pass begins again with what is left. */
  *#exhaust(pass: Pass): Generator<RunPlan, boolean, boolean> {
    let isSmaller = false;
    while (this.#hasTriesLeft && (yield* this.#takeOne(pass(this.#smallest)))) isSmaller = true;
    return isSmaller;
  }

  *#takeOne(candidates: readonly RunPlan[]): Generator<RunPlan, boolean, boolean> {
    for (const candidate of candidates) {
      if (!this.#hasTriesLeft) return false;
      if (!isSound(candidate, this.#bounds.allow)) continue;
      this.#triesCount += 1;
      if (!(yield candidate)) continue;
      this.#smallest = candidate;
      return true;
    }
    return false;
  }

  get #hasTriesLeft(): boolean {
    return this.#triesCount < this.#bounds.triesMax;
  }
}

/** Nobody waits for what nothing brings about, and nothing is lifted that was not allowed. */
function isSound(plan: RunPlan, allow: readonly Allowance[]): boolean {
  return unreachableNames(plan).length === 0 && firstOutside(plan, allow) === undefined;
}

type Pass = (plan: RunPlan) => readonly RunPlan[];

const withoutFaults: Pass = (plan) =>
  plan.faults.map((gone) => ({ ...plan, faults: plan.faults.filter((fault) => fault !== gone) }));

/** The probe goes last: without it a lack of liveness would not show. */
const withoutWorkers: Pass = (plan) =>
  plan.workers.flatMap((gone) => {
    const isNamed = plan.faults.some(({ fault }) => "workers" in fault && fault.workers.includes(gone.id));
    const faults = isNamed ? plan.faults.map((planned) => withoutWorker(planned, gone.id)) : plan.faults;
    const kept = faults.filter(
      ({ fault, when }) =>
        !("worker" in fault && fault.worker === gone.id) &&
        !("workers" in fault && fault.workers.length === 0) &&
        !(when.kind === "after" && when.event.worker === gone.id),
    );
    return [{ ...plan, workers: plan.workers.filter((worker) => worker !== gone), faults: kept }];
  });

function withoutWorker(planned: PlannedFault, id: string): PlannedFault {
  const { fault } = planned;
  if (!("workers" in fault)) return planned;
  return { ...planned, fault: { ...fault, workers: fault.workers.filter((worker) => worker !== id) } };
}

const lazierWorkers: Pass = (plan) =>
  plan.workers.flatMap((worker, index) =>
    lessToDo(worker).map((lazier) => ({ ...plan, workers: plan.workers.with(index, lazier) })),
  );

function lessToDo(worker: WorkerPlan): readonly WorkerPlan[] {
  const { renews: _renews, maxHoldMs: _maxHoldMs, ...plain } = worker;
  return [
    ...(worker.acquireCount > 1 ? [{ ...worker, acquireCount: 1 }] : []),
    ...(worker.renews === true ? [plain] : []),
    ...(worker.extendMs > 0 ? [{ ...worker, extendMs: 0 }] : []),
    ...(worker.waitMs > 0 ? [{ ...worker, waitMs: 0 }] : []),
    ...(worker.idleMs > 0 ? [{ ...worker, idleMs: 0 }] : []),
    ...roundings(worker.workMs).map((workMs) => ({ ...worker, workMs })),
    ...(worker.startWhen.kind === "at"
      ? roundings(worker.startWhen.atMs).map((atMs) => ({
          ...worker,
          startWhen: { kind: "at", atMs } as const,
        }))
      : []),
  ];
}

const simplerFaults: Pass = (plan) =>
  plan.faults.flatMap((planned, index) =>
    smallerFaults(planned).map((smaller) => ({ ...plan, faults: plan.faults.with(index, smaller) })),
  );

const promptMessages: Pass = (plan) => {
  const { messages } = plan;
  if (messages === undefined) return [];
  return messages.unprompt.map((gone) => ({
    ...plan,
    messages: { ...messages, unprompt: messages.unprompt.filter((each) => each !== gone) },
  }));
};

const PASSES: readonly Pass[] = [
  promptMessages,
  withoutFaults,
  withFewerNodes,
  withoutWorkers,
  lazierWorkers,
  simplerFaults,
];
