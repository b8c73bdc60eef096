/** From what happened to what it means: every checker's answer against what was expected. Pure. */
import {
  CHECKER_NAMES,
  type CheckerName,
  LIVENESS_CHECKERS,
  SAFETY_CHECKERS,
} from "../checkers/checker-name.ts";
import { unknown, type Verdict, type VerdictKind } from "../checkers/verdict.ts";
import type { History } from "../history/history.ts";
import type { CheckerResult, RunOutcome } from "../report/run-result.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import type { Expectation, Expectations } from "../scenario/scenario.ts";
import type { Checker, Checkers } from "../checkers/checker.ts";

export type JudgedOutcome = Exclude<RunOutcome, "infrastructure" | "skipped">;

export interface Judgement {
  readonly checkers: readonly CheckerResult[];
  readonly outcome: JudgedOutcome;
  /** One sentence. */
  readonly reason: string;
}

export interface Trial {
  readonly history: History;
  readonly plan: Pick<RunPlan, "demands">;
  readonly expect: Expectations;
  readonly checkers: Checkers;
}

export function judgeRun({ history, plan, expect, checkers }: Trial): Judgement {
  const results = CHECKER_NAMES.map((checker): CheckerResult => {
    const expected = expect[checker] ?? "valid";
    const verdict = ask(checkers[checker], history, plan);
    return { checker, expected, verdict, met: isMet(expected, verdict.kind) };
  });
  return { checkers: results, ...conclude(results) };
}

/** A crash in a checker is not a pass. */
function ask(checker: Checker, history: History, { demands }: Trial["plan"]): Verdict {
  try {
    return checker(history, demands);
  } catch (cause) {
    return unknown(`the checker failed: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function isMet(expected: Expectation, found: VerdictKind): boolean {
  return expected === "any" || expected === found;
}

/**
 * What must not be and was found comes first, safety before liveness: it stands even where another checker could
 * not tell. Then what could not be told, then what should have shown and did not.
 */
function conclude(results: readonly CheckerResult[]): Pick<Judgement, "outcome" | "reason"> {
  const unmet = results.filter(({ met }) => !met);
  const broken = unmet.filter(({ verdict }) => verdict.kind === "invalid");
  const unsafe = broken.find(({ checker }) => SAFETY_CHECKERS.includes(checker));
  if (unsafe !== undefined) return { outcome: "violated", reason: tell(unsafe) };
  const late = broken.find(({ checker }) => LIVENESS_CHECKERS.includes(checker));
  if (late !== undefined) return { outcome: "late", reason: tell(late) };
  const untold = broken[0] ?? unmet.find(({ verdict }) => verdict.kind === "unknown");
  if (untold !== undefined) return { outcome: "inconclusive", reason: tell(untold) };
  const hidden = unmet.map(({ checker }) => checker);
  if (hidden.length > 0) return { outcome: "not-reproduced", reason: tellHidden(hidden) };
  return { outcome: "matched", reason: tellMatched(results) };
}

function tell({ checker, verdict }: CheckerResult): string {
  switch (verdict.kind) {
    case "valid":
      return `${checker}: nothing was found.`;
    case "invalid":
      return `${checker}: ${verdict.evidence[0].sentence}`;
    case "unknown":
      return `${checker}: ${verdict.reason}`;
  }
}

function tellHidden(checkers: readonly CheckerName[]): string {
  return `The violation that was expected of ${checkers.join(", ")} did not show.`;
}

/** Names what was found where something was to be found. */
function tellMatched(results: readonly CheckerResult[]): string {
  const found = results.find(({ expected, verdict }) => expected === "invalid" && verdict.kind === "invalid");
  return found === undefined ? "Everything held that was to hold." : `As expected, ${tell(found)}`;
}
