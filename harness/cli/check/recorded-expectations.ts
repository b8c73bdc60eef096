/** What a run demanded and was expected to show, from the files beside its history; nothing where there are none. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RUN_FILES } from "../../report/run-folder.ts";
import type { VacuityDemand } from "../../scenario/run-plan.ts";
import { readRecordedRun, type RecordedRun } from "../replay/recorded-run.ts";

/** What any history has to show to count: two workers met. */
export const DEFAULT_DEMANDS: VacuityDemand = { contention: true, events: [] };

/** Only a history that still has its own name belongs to the schedule and the result beside it. */
export function recordedRunBeside(historyFile: string): RecordedRun | undefined {
  if (basename(historyFile) !== RUN_FILES.history) return undefined;
  const schedule = join(dirname(historyFile), RUN_FILES.schedule);
  return existsSync(schedule) ? readRecordedRun(schedule) : undefined;
}
