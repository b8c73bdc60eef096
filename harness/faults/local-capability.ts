/**
 * What a plan may ask for that real servers on this machine cannot give, and why: faults stand in the catalogue,
 * everything else here. For the local backend and for docs/faults.md.
 */
import type { RunPlan } from "../scenario/run-plan.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";
import { FAULT_CATALOGUE, MASTERS_ONLY } from "./fault-catalogue.ts";

export interface LocalLimit {
  /** What is asked for; goes on after "it needs". */
  readonly what: string;
  /** Goes on after "but". */
  readonly obstacle: string;
}

interface Limit extends LocalLimit {
  readonly isAskedFor: (plan: RunPlan) => boolean;
}

const byWorker =
  (asks: (worker: WorkerPlan) => boolean | undefined) =>
  ({ workers }: RunPlan): boolean =>
    workers.some((worker) => asks(worker) === true);

const LOCAL_WORKERS_MAX = 9;

const LIMITS: readonly Limit[] = [
  {
    what: "a fault right before an effect",
    obstacle: "a real process cannot be stopped between two effects",
    isAskedFor: ({ faults, workers }) =>
      [...faults.map(({ when }) => when), ...workers.map(({ startWhen }) => startWhen)].some(
        ({ kind }) => kind === "before-effect",
      ),
  },
  {
    what: "timers or replies first after a pause",
    obstacle: "what a real process takes first is not in our hands",
    isAskedFor: ({ faults }) =>
      faults.some(({ fault }) => fault.kind === "pause-worker" && fault.resumeWith !== undefined),
  },
  {
    what: "a fate for each message",
    obstacle: "single messages cannot be held up or lost on real connections",
    isAskedFor: ({ messages }) => messages !== undefined,
  },
  {
    what: "a second hand that stands somewhere at the start",
    obstacle: "the nodes' clocks go by this machine's when a run begins",
    isAskedFor: ({ clockPhaseMs }) => clockPhaseMs !== undefined,
  },
  {
    what: "another strategy than redlock",
    obstacle: "real workers lock with the coordinator as it is shipped",
    isAskedFor: ({ strategy }) => strategy !== "redlock",
  },
  {
    what: "more than nine workers",
    obstacle: "so many processes would put this machine on trial, not the lock",
    isAskedFor: ({ workers }) => workers.length > LOCAL_WORKERS_MAX,
  },
  {
    what: "replicas",
    obstacle: MASTERS_ONLY,
    isAskedFor: ({ settings }) => settings.replicaCount > 0,
  },
  {
    what: "another token source than one counter",
    obstacle: "real workers draw fencing tokens from one counter",
    isAskedFor: ({ settings }) => settings.tokenSource !== "counter",
  },
  {
    what: "less jitter",
    obstacle: "the shipped coordinator draws the whole pause between attempts",
    isAskedFor: ({ settings }) => settings.retryJitter !== 1,
  },
  {
    what: "renewal",
    obstacle: "the shipped lock does not renew itself yet",
    isAskedFor: byWorker(({ renews }) => renews),
  },
  {
    what: "a look at a replica",
    obstacle: MASTERS_ONLY,
    isAskedFor: byWorker(({ checksReplica }) => checksReplica),
  },
];

/** All limits but those of faults, in a fixed order. */
export const LOCAL_LIMITS: readonly LocalLimit[] = LIMITS;

/** What the plan asks for that real servers cannot give, each once. */
export function missingOnLocal(plan: RunPlan): readonly LocalLimit[] {
  const missing = [...limitsOfFaults(plan), ...LIMITS.filter(({ isAskedFor }) => isAskedFor(plan))];
  return [...new Map(missing.map((limit) => [limit.what, limit])).values()];
}

/** Why real servers cannot play the plan, in one sentence; `undefined` where they can. */
export function whyNotOnLocal(plan: RunPlan): string | undefined {
  const missing = missingOnLocal(plan);
  const obstacles = [...new Set(missing.map(({ obstacle }) => obstacle))];
  if (obstacles.length === 0) return undefined;
  const clauses = obstacles.map((obstacle) => {
    const needs = missing.flatMap((limit) => (limit.obstacle === obstacle ? [limit.what] : []));
    return `it needs ${needs.join(" and ")}, but ${obstacle}`;
  });
  return `${clauses.join("; ")}.`;
}

function limitsOfFaults({ faults }: RunPlan): readonly LocalLimit[] {
  return faults.flatMap(({ fault: { kind } }) => {
    const { localObstacle } = FAULT_CATALOGUE[kind];
    return localObstacle === undefined ? [] : [{ what: kind, obstacle: localObstacle }];
  });
}
