/** Limits that a pipeline sets: what was measured in the runs, and whether it stayed below. Pure. */
import { recoveryTimesMs } from "../../checkers/recovery-times.ts";
import { callsOf } from "../../history/calls.ts";
import type { History } from "../../history/history.ts";
import type { RunResult } from "../run-result.ts";
import type { Measurement, Threshold, ThresholdName, ThresholdResult } from "./threshold-result.ts";

interface Measure {
  readonly what: string;
  readonly nothing: string;
  readonly samplesMs: (history: History) => readonly number[];
  /** Of at least one sample, in ascending order. */
  readonly figureMs: (sortedMs: readonly number[]) => number;
}

const MEASURES: Readonly<Record<ThresholdName, Measure>> = {
  "max-p99-ms": {
    what: "p99 of acquire, from the call to the grant",
    nothing: "no run granted a lock",
    samplesMs: grantTimesMs,
    figureMs: (sortedMs) => percentile(sortedMs, 0.99),
  },
  "max-recovery-ms": {
    what: "recovery, from the end of the trouble to the next grant",
    nothing: "no run had anything to recover from, or nobody tried",
    samplesMs: recoveryTimesMs,
    figureMs: (sortedMs) => percentile(sortedMs, 1),
  },
};

export function judgeThresholds(
  thresholds: readonly Threshold[],
  runs: readonly RunResult[],
): readonly ThresholdResult[] {
  return thresholds.map((threshold) => {
    const worst = worstOf(MEASURES[threshold.name], runs);
    if (worst === null) return { ...threshold, worst, outcome: "unmeasured" };
    return { ...threshold, worst, outcome: worst.measuredMs <= threshold.limitMs ? "kept" : "breached" };
  });
}

/** `p99 of acquire, from the call to the grant: 412.0 ms in S20 plain (6 measured), at most 300 ms asked`. */
export function thresholdSentence({ name, limitMs, worst }: ThresholdResult): string {
  const { what, nothing } = MEASURES[name];
  const asked = `at most ${limitMs} ms asked`;
  if (worst === null) return `${what}: not measured, because ${nothing}; ${asked}`;
  const { measuredMs, where, sampleCount } = worst;
  return `${what}: ${measuredMs.toFixed(1)} ms in ${where} (${sampleCount} measured), ${asked}`;
}

function worstOf(measure: Measure, runs: readonly RunResult[]): Measurement | null {
  const samples = new Map<string, number[]>();
  for (const { header, events, scenario, variant } of runs) {
    if (header === undefined) continue;
    const where = `${scenario} ${variant}`;
    samples.set(where, [...(samples.get(where) ?? []), ...measure.samplesMs({ header, events })]);
  }
  return [...samples]
    .filter(([, samplesMs]) => samplesMs.length > 0)
    .map(([where, samplesMs]) => ({
      measuredMs: measure.figureMs(samplesMs.toSorted((left, right) => left - right)),
      where,
      sampleCount: samplesMs.length,
    }))
    .reduce<Measurement | null>(
      (worst, one) => (worst === null || one.measuredMs > worst.measuredMs ? one : worst),
      null,
    );
}

function grantTimesMs(history: History): readonly number[] {
  return callsOf(history).flatMap(({ kind, invoked, returned }) =>
    kind === "acquire" && returned !== undefined && returned.code === undefined
      ? [returned.moment.atMs - invoked.atMs]
      : [],
  );
}

/** Nearest rank: a time that was really measured. */
function percentile(sortedMs: readonly number[], share: number): number {
  return Number(sortedMs[Math.ceil(sortedMs.length * share) - 1]);
}
