/** A limit that a pipeline sets, and what came of it. */

export type ThresholdName = "max-p99-ms" | "max-recovery-ms";

export interface Threshold {
  readonly name: ThresholdName;
  readonly limitMs: number;
}

export interface Measurement {
  readonly measuredMs: number;
  /** Scenario and variant: `S14 plain`. */
  readonly where: string;
  readonly sampleCount: number;
}

export interface ThresholdResult extends Threshold {
  /** Of the slowest variant, over all its repetitions; `null` where no run had anything to measure. */
  readonly worst: Measurement | null;
  /** `unmeasured` is no pass: nothing was shown. */
  readonly outcome: "kept" | "breached" | "unmeasured";
}
