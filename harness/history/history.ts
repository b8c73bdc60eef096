/** A history: what was run, and what happened. Checkers need nothing else. */
import type { HistoryEvent, NodeName, WorkerId } from "./event.ts";

export interface HistoryHeader {
  readonly version: 1;
  readonly scenario: string;
  readonly variant: string;
  readonly backend: string;
  readonly seed: string;
  /** ISO time of day at which the run started; for display only. */
  readonly startedAt: string;
  readonly nodes: readonly NodeName[];
  readonly workers: readonly WorkerId[];
  readonly quorum: number;
  readonly ttlMs: number;
  readonly nodeTimeoutMs: number;
  readonly driftFactor: number;
  /** Cap of one wait between two attempts. */
  readonly retryCapMs: number;
  /** True where the resource under protection refuses writes with an old fencing token. */
  readonly fencing: boolean;
  /** Where the restart guard is on: for how long a node that may have forgotten casts no vote. */
  readonly longestLifetimeMs?: number;
  /** How far the stamp of a node event may be from the truth; 0 in simulation. */
  readonly nodeStampUncertaintyMs: number;
  /** How late a healthy process may be scheduled; 0 in simulation. */
  readonly schedulingGraceMs: number;
}

export interface History {
  readonly header: HistoryHeader;
  /** Sorted by `seq`; `atMs` never decreases. */
  readonly events: readonly HistoryEvent[];
}
