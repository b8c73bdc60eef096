/** A counterexample as a run like any other, so that it is drawn, judged and written down the same way. */
import { ALL_CHECKERS } from "../../checkers/all-checkers.ts";
import type { Counterexample } from "../../explore/counterexample.ts";
import type { RunResult } from "../../report/run-result.ts";
import { judgeRun } from "../../runner/judge-run.ts";
import type { Expectations } from "../../scenario/scenario.ts";

/** What no lock can promise, and what a small schedule need not show, is not asked of it. */
export const EXPLORE_EXPECT: Expectations = { actual: "any", stale: "any", tokens: "any", vacuity: "any" };

export function foundRun({ plan, judged, digest }: Counterexample, replay: string): RunResult {
  const { history } = judged;
  const judgement = judgeRun({ history, plan, expect: EXPLORE_EXPECT, checkers: ALL_CHECKERS });
  return {
    version: 1,
    scenario: plan.scenario,
    title: "A schedule that the search found",
    variant: plan.variant,
    summary: "Shrunk to what is needed.",
    backend: history.header.backend,
    seed: plan.seed,
    repetition: 1,
    ...judgement,
    stagings: ["The story came about."],
    durationMs: history.events.at(-1)?.atMs ?? 0,
    replay,
    plan,
    digest,
    header: history.header,
    events: history.events,
  };
}
