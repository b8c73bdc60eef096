/** What one `run` command asks of the runner, and what the runner tells while it works. */
import type { Backend } from "../backends/backend.ts";
import type { Shard } from "./shard.ts";
import type { RunResult } from "../report/run-result.ts";
import type { LabSettings } from "../scenario/lab-settings.ts";
import type { Scenario } from "../scenario/scenario.ts";

export interface LabRequest {
  /** In the order in which they are to be reported. */
  readonly scenarios: readonly Scenario[];
  /** True where the user named them: what the backend cannot play is then inconclusive, not skipped. */
  readonly named: boolean;
  /** Names of the variants to play; empty: all. */
  readonly variants: readonly string[];
  readonly backend: Backend;
  /** Settings from the command line; they win over scenario and variant. */
  readonly overrides: Partial<LabSettings>;
  /**
   * How workers lock, instead of how the coordinator does. Variants that are told for another strategy are left
   * out, and what the coordinator is expected to break is excused; what this one is expected to break is not.
   */
  readonly strategy?: string | undefined;
  /** Repetitions of each variant, at least 1. */
  readonly repeat: number;
  /** Runs that go on at once, at least 1. */
  readonly concurrency: number;
  readonly seed: string;
  /** Only this part of the runs; absent: all. */
  readonly shard?: Shard | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export type Progress =
  | {
      readonly kind: "run-started";
      readonly scenario: string;
      readonly variant: string;
      readonly repetition: number;
    }
  | {
      readonly kind: "run-staged-again";
      readonly scenario: string;
      readonly variant: string;
      readonly repetition: number;
      readonly why: string;
    }
  | { readonly kind: "run-finished"; readonly result: RunResult };
