/**
 * Everything that decides a run, as plain JSON (`schedule.json`): a scenario's variant with its settings
 * resolved. A backend needs nothing else.
 */
import type { EventPattern } from "../faults/event-pattern.ts";
import type { PlannedFault } from "../faults/fault.ts";
import type { NodeName } from "../history/event.ts";
import type { WorkerPlan } from "../workload/worker-plan.ts";
import type { LabSettings } from "./lab-settings.ts";

/** What has to have come about, or the run is staged again: it says nothing about the story otherwise. */
export type StagingCondition =
  /** The worker's first hold was granted by exactly these nodes when it returned. */
  | { readonly kind: "granted-by"; readonly worker: string; readonly nodes: readonly NodeName[] }
  /** The first event that matches `earlier` came before the first that matches `later` (which came). */
  | { readonly kind: "order"; readonly earlier: EventPattern; readonly later: EventPattern };

/** What a run has to show so that its verdict means something. */
export interface VacuityDemand {
  /** Some acquire met a resource that another worker held, or two workers held in turn. */
  readonly contention: boolean;
  /** Events that must occur. */
  readonly events: readonly EventPattern[];
  /**
   * All the time a quorum was in reach and nobody else there: every acquire has to be granted, and half of them in
   * less than this. Judged by `settling`; the median, so that one late wake-up of a busy machine proves nothing.
   */
  readonly promptAcquires?: { readonly medianBelowMs: number };
}

/** What becomes of each single message, where nothing is left to chance: what is not named is prompt. */
export interface MessagePlan {
  readonly promptMs: number;
  readonly lateMs: number;
  /** Messages are counted from 0 in the order in which they are sent, over all links and both ways. */
  readonly unprompt: readonly { readonly message: number; readonly fate: "late" | "lost" }[];
}

export interface Story {
  readonly workers: readonly WorkerPlan[];
  readonly faults: readonly PlannedFault[];
  readonly staging: readonly StagingCondition[];
  readonly demands: VacuityDemand;
  /** The run is ended at this time whatever goes on. */
  readonly limitMs: number;
  /** Only in the simulation. */
  readonly messages?: MessagePlan;
  /** Where each node's wall clock stands within its second when the run begins; drawn where absent. Only in the simulation. */
  readonly clockPhaseMs?: number;
}

export interface RunPlan extends Story {
  readonly version: 1;
  readonly scenario: string;
  readonly variant: string;
  readonly seed: string;
  readonly nodes: readonly NodeName[];
  /** How workers lock: `redlock`, or another one of the laboratory's strategies. */
  readonly strategy: string;
  readonly settings: LabSettings;
}
