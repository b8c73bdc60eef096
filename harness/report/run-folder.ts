/** Where the files of one run lie, relative to the folder of results; the same run always has the same name. */
import type { RunResult } from "./run-result.ts";

export const RUN_FILES = {
  result: "result.json",
  history: "history.jsonl",
  schedule: "schedule.json",
} as const;

export function runFolder(run: Pick<RunResult, "scenario" | "variant" | "repetition">): string {
  return `${run.scenario}-${run.variant}-${run.repetition}`;
}
