/** `redlock-lab run`: chooses, plays, tells and writes down. */
import { EXIT_CODES, exitCodeFor } from "../../report/exit-code.ts";
import { exitMeaning } from "../../report/exit-meaning.ts";
import { indexJson } from "../../report/json.ts";
import type { LabReport, RunResult } from "../../report/run-result.ts";
import { terminalReport } from "../../report/terminal-report.ts";
import { WIDTH_DEFAULT } from "../../report/timeline.ts";
import { paletteFor } from "../colours.ts";
import type { CliWorld } from "../world.ts";
import { listenForInterruption } from "./interruption.ts";
import { loadStory } from "./load-story.ts";
import { ProgressLines } from "./progress-lines.ts";
import { replayFromFile } from "./replay-from-file.ts";
import { defaultResultsPath, openResultsFolder, type ResultsFolder } from "./results-folder.ts";
import { overridesFrom, type RunOptions } from "./run-options.ts";
import { type Selection, selectScenarios } from "./select-scenarios.ts";

export interface RunInvocation {
  readonly names: readonly string[];
  readonly options: RunOptions;
  /** The command line as it was typed, for the report. */
  readonly command: string;
}

const WIDTH_MAX = 160;

/** @throws UsageError, InfrastructureError: one sentence, nothing was played. */
export async function runCommand(invocation: RunInvocation, world: CliWorld): Promise<number> {
  const { names, options, command } = invocation;
  const startedMs = world.nowMs();
  const startedAt = new Date(startedMs).toISOString();
  const selection = await selectScenarios(names, world.laboratory.scenarios, loadStory);
  const folder = openResultsFolder(options.out ?? defaultResultsPath(startedAt), options.junit);

  const { runs, interrupted } = await play(invocation, selection, { world, folder });
  const report: LabReport = {
    version: 1,
    command,
    startedAt,
    durationMs: Math.round(world.nowMs() - startedMs),
    exitCode: exitCodeFor(runs, { interrupted }),
    interrupted,
    runs,
  };
  folder.writeReport(report);
  tell(report, folder, { world, options });
  return report.exitCode;
}

async function play(
  { names, options }: RunInvocation,
  { scenarios, files }: Selection,
  { world, folder }: { readonly world: CliWorld; readonly folder: ResultsFolder },
): Promise<{ readonly runs: readonly RunResult[]; readonly interrupted: boolean }> {
  const output = options.json ? world.err : world.out;
  const progress = new ProgressLines(output, paletteFor(output, world.env));
  const interruption = listenForInterruption(world, () => {
    progress.say("Stopping; what was started is being ended. Once more ends at once.");
  });
  const { signal } = interruption;
  try {
    const { portBase } = options;
    const backend = await world.laboratory.createBackend(options.backend, { portBase });
    const results = await world.laboratory.runLab({
      scenarios,
      named: names.length > 0,
      variants: options.variant,
      backend,
      overrides: overridesFrom(options),
      repeat: options.repeat,
      concurrency: options.concurrency,
      seed: options.seed,
      signal,
      onProgress: (event) => {
        if (event.kind === "run-finished") folder.writeRun(replayFromFile(event.result, files));
        progress.show(event);
      },
    });
    return { runs: results.map((run) => replayFromFile(run, files)), interrupted: signal.aborted };
  } catch (cause) {
    folder.abandon();
    throw cause;
  } finally {
    interruption.stopListening();
    progress.finish();
  }
}

function tell(
  report: LabReport,
  folder: ResultsFolder,
  { world: { out, err, env }, options }: { readonly world: CliWorld; readonly options: RunOptions },
): void {
  const where = `Results: ${folder.path}\n`;
  if (options.json) {
    out.write(indexJson(report));
    err.write(where);
    return;
  }
  const palette = paletteFor(out, env);
  const width = Math.min(out.columns ?? WIDTH_DEFAULT, WIDTH_MAX);
  const text = terminalReport(report.runs, { width, palette, ascii: options.ascii ?? false });
  if (report.runs.length > 0) out.write(`\n${text}\n\n`);
  const { exitCode } = report;
  const paint = exitCode === EXIT_CODES.ok ? palette.good : palette.bad;
  out.write(`${paint(`Exit code ${exitCode}`)}: ${exitMeaning(exitCode)}.\n${where}`);
}
