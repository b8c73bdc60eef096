/** Which exit code a command ends with: what happened and was not wanted, the gravest first. */
import type { ThresholdResult } from "./ci/threshold-result.ts";
import type { RunOutcome, RunResult } from "./run-result.ts";

export const EXIT_CODES = {
  ok: 0,
  safety: 1,
  inconclusive: 2,
  liveness: 3,
  threshold: 4,
  nonDeterministic: 5,
  usage: 64,
  infrastructure: 70,
  interrupted: 130,
} as const;

/** Gravest first. An interrupted command proves nothing, bad arguments neither; then safety before all else. */
const PRECEDENCE: readonly number[] = [
  EXIT_CODES.interrupted,
  EXIT_CODES.usage,
  EXIT_CODES.safety,
  EXIT_CODES.infrastructure,
  EXIT_CODES.nonDeterministic,
  EXIT_CODES.liveness,
  EXIT_CODES.threshold,
  EXIT_CODES.inconclusive,
];

const CODE_OF_OUTCOME: Readonly<Record<RunOutcome, number>> = {
  matched: EXIT_CODES.ok,
  skipped: EXIT_CODES.ok,
  violated: EXIT_CODES.safety,
  late: EXIT_CODES.liveness,
  "non-deterministic": EXIT_CODES.nonDeterministic,
  "not-reproduced": EXIT_CODES.inconclusive,
  inconclusive: EXIT_CODES.inconclusive,
  infrastructure: EXIT_CODES.infrastructure,
};

const CODE_OF_THRESHOLD: Readonly<Record<ThresholdResult["outcome"], number>> = {
  kept: EXIT_CODES.ok,
  breached: EXIT_CODES.threshold,
  unmeasured: EXIT_CODES.inconclusive,
};

/** The exit code for these runs. A command that played nothing has shown nothing: that is inconclusive. */
export function exitCodeFor(
  runs: readonly Pick<RunResult, "outcome">[],
  {
    interrupted,
    thresholds = [],
  }: { readonly interrupted: boolean; readonly thresholds?: readonly Pick<ThresholdResult, "outcome">[] },
): number {
  const codes = runs.map(({ outcome }) => CODE_OF_OUTCOME[outcome]);
  codes.push(...thresholds.map(({ outcome }) => CODE_OF_THRESHOLD[outcome]));
  if (interrupted) codes.push(EXIT_CODES.interrupted);
  if (runs.every(({ outcome }) => outcome === "skipped")) codes.push(EXIT_CODES.inconclusive);
  return gravestOf(codes);
}

/** The code that wins where several apply. */
export function gravestOf(codes: readonly number[]): number {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT_CODES.ok;
}
