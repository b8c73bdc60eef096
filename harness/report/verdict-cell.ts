/** What one checker said over all repetitions of a variant, against what it was expected to say. */
import type { CheckerName } from "../checkers/checker-name.ts";
import type { CheckerResult, RunResult } from "./run-result.ts";

/** Gravest last. */
export const STANDINGS = [
  "valid",
  "found",
  "excused-valid",
  "excused-invalid",
  "excused-unknown",
  "undecided",
  "missing",
  "unwanted",
] as const;

/**
 * - `valid`: as expected. `found`: the violation that was expected.
 * - `excused-…`: whatever it says is accepted.
 * - `undecided`: the checker could not tell. `missing`: the expected violation did not show.
 * - `unwanted`: a violation that nobody expected.
 */
export type Standing = (typeof STANDINGS)[number];

export interface VerdictCell {
  readonly standing: Standing;
  /** How many of the repetitions stand so. */
  readonly count: number;
  readonly total: number;
}

/** The gravest standing among the repetitions; `undefined` where the checker was never asked. */
export function verdictCell(
  runs: readonly Pick<RunResult, "checkers">[],
  checker: CheckerName,
): VerdictCell | undefined {
  const standings = runs.flatMap((run) =>
    run.checkers.filter((result) => result.checker === checker).map(standingOf),
  );
  const standing = STANDINGS.findLast((candidate) => standings.includes(candidate));
  if (standing === undefined) return undefined;
  return {
    standing,
    count: standings.filter((candidate) => candidate === standing).length,
    total: standings.length,
  };
}

export function standingOf({ expected, verdict }: Omit<CheckerResult, "checker">): Standing {
  if (expected === "any") return `excused-${verdict.kind}`;
  switch (verdict.kind) {
    case "unknown":
      return "undecided";
    case "valid":
      return expected === "valid" ? "valid" : "missing";
    case "invalid":
      return expected === "invalid" ? "found" : "unwanted";
  }
}
