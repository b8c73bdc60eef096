/** What the runner needs of the checkers: one for each question. */
import type { CheckerName } from "../checkers/checker-name.ts";
import type { Verdict } from "../checkers/verdict.ts";
import type { History } from "../history/history.ts";
import type { VacuityDemand } from "../scenario/run-plan.ts";

export type Checker = (history: History, demands: VacuityDemand) => Verdict;

export type Checkers = Readonly<Record<CheckerName, Checker>>;
