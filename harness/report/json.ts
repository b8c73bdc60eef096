/**
 * The machine's view of a command: an index of all runs, and a file for each run. Both carry a version that
 * grows when a field changes its meaning or goes away; new fields do not change it.
 */
import { digestOf } from "../history/digest.ts";
import { coverageOf } from "./coverage.ts";
import { explainRun } from "./explain.ts";
import { RUN_FILES, runFolder } from "./run-folder.ts";
import type { LabReport, RunResult } from "./run-result.ts";

const INDEX_SCHEMA = "redlock-lab/index/1";
const CHECK_SCHEMA = "redlock-lab/check/1";
const RUN_SCHEMA = "redlock-lab/run/1";
const INDENT = 2;

/** `result.json` of the folder, and what `--json` prints. */
export function indexJson(report: LabReport): string {
  const { version, runs, ...command } = report;
  const index = {
    schema: INDEX_SCHEMA,
    version,
    ...command,
    runs: runs.map((run) => ({ ...summaryOf(run), folder: runFolder(run) })),
  };
  return `${JSON.stringify(index, undefined, INDENT)}\n`;
}

/** What `check --json` prints: as the index, but of files. */
export function checkJson(report: LabReport, files: readonly string[]): string {
  const { version, runs, ...command } = report;
  const judged = runs.map((run, place) => ({ file: files[place], ...summaryOf(run) }));
  return `${JSON.stringify({ schema: CHECK_SCHEMA, version, ...command, runs: judged }, undefined, INDENT)}\n`;
}

/** `result.json` of one run; its history and its schedule are files of their own beside it. */
export function runJson(run: RunResult, { labVersion }: { readonly labVersion: string }): string {
  const result = {
    schema: RUN_SCHEMA,
    labVersion,
    ...summaryOf(run),
    scheduleDigest: run.plan === undefined ? null : digestOf(run.plan),
    header: run.header ?? null,
    files: RUN_FILES,
  };
  return `${JSON.stringify(result, undefined, INDENT)}\n`;
}

function summaryOf(run: RunResult): object {
  const { events: _inHistory, plan, header: _inRun, ...summary } = run;
  return {
    ...summary,
    explanation: explainRun(run) ?? null,
    settings: plan?.settings ?? null,
    coverage: coverageOf(run),
  };
}
