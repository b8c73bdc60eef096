/** A question to a history. It never throws, whatever the history; `demands` matter to `vacuity` and `settling`. */
import type { History } from "../history/history.ts";
import type { VacuityDemand } from "../scenario/run-plan.ts";
import type { CheckerName } from "./checker-name.ts";
import type { Verdict } from "./verdict.ts";

export type Checker = (history: History, demands: VacuityDemand) => Verdict;

export type Checkers = Readonly<Record<CheckerName, Checker>>;
