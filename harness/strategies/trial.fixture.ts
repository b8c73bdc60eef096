/** One small story, played in the virtual world with one strategy after another. */
import { playSimulatedRun } from "../backends/simulated/simulated-run.ts";
import { ALL_CHECKERS } from "../checkers/all-checkers.ts";
import { CHECKER_NAMES, type CheckerName } from "../checkers/checker-name.ts";
import type { Fault, PlannedFault } from "../faults/fault.ts";
import type { Trigger } from "../faults/trigger.ts";
import type { HistoryEvent } from "../history/event.ts";
import { DEFAULT_SETTINGS, type LabSettings } from "../scenario/lab-settings.ts";
import { nodeNames } from "../scenario/node-names.ts";
import { at, planWorker } from "../scenario/story-parts.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";

export interface Trial {
  readonly settings?: Partial<LabSettings>;
  readonly workers: readonly (Partial<WorkerPlan> & Pick<WorkerPlan, "id" | "startWhen">)[];
  readonly faults?: readonly (readonly [when: Trigger, fault: Fault])[];
  readonly seed?: string;
}

export interface Tried {
  readonly events: readonly HistoryEvent[];
  /** What the checkers found to be broken, vacuity aside. */
  readonly broken: readonly CheckerName[];
}

const LIMIT_MS = 12_000;

export function tryStrategy(
  strategy: string,
  { settings: given, workers, faults = [], seed = "1" }: Trial,
): Tried {
  const settings: LabSettings = { ...DEFAULT_SETTINGS, ...given };
  const demands = { contention: false, events: [] };
  const { header, events } = playSimulatedRun({
    version: 1,
    scenario: "trial",
    variant: "plain",
    ...{ seed, strategy, settings, demands },
    nodes: nodeNames(settings.nodeCount),
    workers: workers.map(({ id, ...plan }) => planWorker(id, settings, plan)),
    faults: faults.map(([when, fault], index): PlannedFault => ({ id: `fault-${index + 1}`, when, fault })),
    staging: [],
    limitMs: LIMIT_MS,
  });
  const broken = CHECKER_NAMES.filter(
    (name) => name !== "vacuity" && ALL_CHECKERS[name]({ header, events }, demands).kind === "invalid",
  );
  return { events, broken };
}

/** W1 at the start of the run, and what is named. */
export const w1 = (plan: Partial<WorkerPlan> = {}): Trial["workers"][number] => ({
  id: "W1",
  startWhen: at(0),
  ...plan,
});

/** W2, who tries from `atMs` on for two seconds. */
export const w2 = (atMs: number, plan: Partial<WorkerPlan> = {}): Trial["workers"][number] => ({
  id: "W2",
  startWhen: at(atMs),
  waitMs: 2000,
  ...plan,
});
