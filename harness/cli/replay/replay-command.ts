/** `redlock-lab replay`: plays a schedule that was written down, on any backend. */
import { dirname, join } from "node:path";
import { UsageError } from "../../lab-error.ts";
import { runFolder } from "../../report/run-folder.ts";
import type { RunResult } from "../../report/run-result.ts";
import { shellWord } from "../../runner/replay-command.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { playAndTell } from "../run/play-and-tell.ts";
import type { ReplayOptions } from "../run/run-options.ts";
import { isSamePlace } from "../same-place.ts";
import type { CliWorld } from "../world.ts";
import { readRecordedRun, type RecordedRun } from "./recorded-run.ts";

export interface ReplayInvocation {
  readonly file: string;
  readonly options: ReplayOptions;
  /** The command line as it was typed, for the report. */
  readonly command: string;
}

/** @throws UsageError, InfrastructureError: one sentence, nothing was played. */
export async function replayCommand(
  { file, options, command }: ReplayInvocation,
  world: CliWorld,
): Promise<number> {
  const recorded = readRecordedRun(file);
  keepRecorded(recorded, options.out);
  const request = {
    scenarios: [scenarioOf(recorded)],
    named: true,
    variants: [],
    overrides: {},
    repeat: options.repeat,
    concurrency: options.concurrency,
    seed: recorded.plan.seed,
  };
  const finish = (run: RunResult): RunResult => ({
    ...compared(run, recorded, world.version),
    replay: `redlock-lab replay ${shellWord(file)} --backend ${run.backend}`,
  });
  return await playAndTell({ request, options, command, finish }, world);
}

/** What is played again is not written over. */
function keepRecorded({ file, plan }: RecordedRun, out: string | undefined): void {
  if (out === undefined) return;
  const written = join(out, runFolder({ ...plan, repetition: 1 }));
  if (isSamePlace(written, dirname(file))) {
    throw new UsageError(`${written} is the run that is played again; name another folder with --out.`);
  }
}

/** A story of one variant that is told as it was written down. */
function scenarioOf({ plan, expect, title, summary }: RecordedRun): Scenario {
  const { version: _version, seed: _seed, nodes: _nodes, ...told } = plan;
  const { scenario, variant, strategy, settings, ...story } = told;
  return {
    id: scenario,
    title: title ?? "A schedule that was written down",
    summary: summary ?? "As the file has it.",
    settings,
    story: () => story,
    variants: [{ name: variant, summary: summary ?? "As the file has it.", strategy, expect }],
  };
}

/** One plan has one history where plays are deterministic; only another version may give another. */
function compared(run: RunResult, { recorded }: RecordedRun, labVersion: string): RunResult {
  const isComparable =
    run.digest !== undefined && run.repetition === 1 && recorded?.labVersion === labVersion;
  if (!isComparable || run.digest === recorded.digest) return run;
  const reason = `The history is ${run.digest}; it was ${recorded.digest} when it was recorded.`;
  return { ...run, outcome: "non-deterministic", reason };
}
