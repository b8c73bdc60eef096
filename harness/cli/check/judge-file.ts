/** A stored history, judged as if it had just been played. */
import { ALL_CHECKERS } from "../../checkers/all-checkers.ts";
import { CHECKER_NAMES, type CheckerName } from "../../checkers/checker-name.ts";
import type { RunResult } from "../../report/run-result.ts";
import { judgeRun } from "../../runner/judge-run.ts";
import { shellWord } from "../../runner/replay-command.ts";
import type { Expectations } from "../../scenario/scenario.ts";
import { historyFileAt, readHistory } from "./read-history.ts";
import { DEFAULT_DEMANDS, recordedRunBeside } from "./recorded-expectations.ts";

export interface FileToJudge {
  /** A file, or the folder of a run. */
  readonly path: string;
  /** Counts from 1. */
  readonly place: number;
  /** Only these are demanded; empty: all. */
  readonly only: readonly CheckerName[];
}

/** @throws UsageError one sentence: the file is no history. */
export function judgeFile({ path, place, only }: FileToJudge): RunResult {
  const file = historyFileAt(path);
  const history = readHistory(file);
  const beside = recordedRunBeside(file);
  const { header, events } = history;
  const plan = { demands: beside?.plan.demands ?? DEFAULT_DEMANDS };
  const expect = { ...beside?.expect, ...excused(only) };
  return {
    version: 1,
    ...{ scenario: header.scenario, variant: header.variant, backend: header.backend, seed: header.seed },
    title: beside?.title ?? "a stored history",
    summary: beside?.summary ?? `Read from ${path}.`,
    repetition: place,
    ...judgeRun({ history, plan, expect, checkers: ALL_CHECKERS }),
    stagings: [],
    durationMs: events.at(-1)?.atMs ?? 0,
    replay: ["redlock-lab", "check", path, ...(only.length === 0 ? [] : ["--only", only.join()])]
      .map(shellWord)
      .join(" "),
    plan: beside?.plan,
    digest: undefined,
    header,
    events,
  };
}

function excused(only: readonly CheckerName[]): Expectations {
  if (only.length === 0) return {};
  return Object.fromEntries(
    CHECKER_NAMES.filter((name) => !only.includes(name)).map((name) => [name, "any"]),
  );
}
