/** The public surface of `redlock-lab`: what a user's own story needs, and the laboratory as a library. */
export { createLocalBackend } from "./backends/local/local-backend.ts";
export type { Backend, PlayContext, PlayedRun } from "./backends/backend.ts";
export { ALL_CHECKERS } from "./checkers/all-checkers.ts";
export { CHECKER_NAMES, type CheckerName } from "./checkers/checker-name.ts";
export type { Evidence, Verdict } from "./checkers/verdict.ts";
export type { EventPattern } from "./faults/event-pattern.ts";
export type { Fault, FaultKind, PlannedFault } from "./faults/fault.ts";
export type { Trigger } from "./faults/trigger.ts";
export type { HistoryEvent } from "./history/event.ts";
export type { History, HistoryHeader } from "./history/history.ts";
export { formatHistory, parseHistory } from "./history/jsonl.ts";
export { InfrastructureError, InterruptedError, UsageError } from "./lab-error.ts";
export { exitCodeFor } from "./report/exit-code.ts";
export type { CheckerResult, LabReport, RunOutcome, RunResult } from "./report/run-result.ts";
export type { LabRequest, Progress } from "./runner/lab-request.ts";
export { runLab } from "./runner/run-lab.ts";
export { defineScenario } from "./scenario/define-scenario.ts";
export { DEFAULT_SETTINGS, type LabSettings } from "./scenario/lab-settings.ts";
export type { RunPlan, StagingCondition, Story, VacuityDemand } from "./scenario/run-plan.ts";
export type { Alias, Expectation, Expectations, Scenario, Variant } from "./scenario/scenario.ts";
export {
  after,
  appliedEvents,
  at,
  type NamedFault,
  planInTurn,
  planWorker,
  whenAllHold,
} from "./scenario/story-parts.ts";
export type { WorkerPlan } from "./workload/worker-plan.ts";
