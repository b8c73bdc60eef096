/** Where a run is played. Each backend gives the same events, so that every checker reads every backend. */
import type { HistoryEvent } from "../history/event.ts";
import type { HistoryHeader } from "../history/history.ts";
import type { RunPlan } from "../scenario/run-plan.ts";

export interface PlayContext {
  /** Ends the run early; everything that was started is stopped before `play` returns. */
  readonly signal: AbortSignal;
}

export interface PlayedRun {
  readonly header: HistoryHeader;
  readonly events: readonly HistoryEvent[];
}

export const BACKEND_NAMES = ["simulated", "local"] as const;

export type BackendName = (typeof BACKEND_NAMES)[number];

export interface Backend {
  readonly name: string;
  /** Two plays of one plan give the same history. */
  readonly isDeterministic: boolean;
  /** Why this backend cannot play a plan on this machine, in one sentence; `undefined` where it can. */
  readonly whyNot: (plan: RunPlan) => string | undefined;
  /**
   * Plays one run.
   *
   * @throws InfrastructureError when a server, a port or a folder is not to be had.
   */
  readonly play: (plan: RunPlan, context: PlayContext) => Promise<PlayedRun>;
}
