/** Which of a run's verdicts matter: those that were not wanted, and the one that tells the story. */
import { CHECKER_NAMES, LIVENESS_CHECKERS, SAFETY_CHECKERS } from "../checkers/checker-name.ts";
import type { CheckerName } from "../checkers/checker-name.ts";
import type { Evidence } from "../checkers/verdict.ts";
import type { RunResult } from "./run-result.ts";

export interface Finding {
  readonly checker: CheckerName;
  /** False where the violation was expected and found. */
  readonly unwanted: boolean;
  readonly evidence: readonly [Evidence, ...Evidence[]];
}

/** What counts most where several checkers object: belief first, then its consequences, then the rest. */
const ORDER_OF_INTEREST: readonly CheckerName[] = ["declared", "stale", "actual", ...CHECKER_NAMES];

/** All violations, the most telling first: unwanted before expected, belief before consequences. */
export function findingsOf(run: Pick<RunResult, "checkers">): readonly Finding[] {
  const findings = run.checkers.flatMap(({ checker, verdict, met }) =>
    verdict.kind === "invalid" ? [{ checker, unwanted: !met, evidence: verdict.evidence }] : [],
  );
  return findings.toSorted((left, right) => interestOf(left) - interestOf(right));
}

/** The violations that make a run fail: of safety or of liveness, and not expected. */
export function unwantedFindings(run: Pick<RunResult, "checkers">): readonly Finding[] {
  const judged = [...SAFETY_CHECKERS, ...LIVENESS_CHECKERS];
  return findingsOf(run).filter(({ checker, unwanted }) => unwanted && judged.includes(checker));
}

function interestOf({ checker, unwanted }: Finding): number {
  return ORDER_OF_INTEREST.indexOf(checker) + (unwanted ? 0 : ORDER_OF_INTEREST.length);
}
