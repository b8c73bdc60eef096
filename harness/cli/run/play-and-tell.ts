/** What `run` and `replay` share: plays runs, tells of them, and writes down what came out. */
import { judgeThresholds } from "../../report/ci/threshold.ts";
import type { Threshold } from "../../report/ci/threshold-result.ts";
import { githubAnnotations } from "../../report/ci/github-annotations.ts";
import { exitCodeFor } from "../../report/exit-code.ts";
import { indexJson } from "../../report/json.ts";
import { summaryMarkdown } from "../../report/summary-markdown.ts";
import type { LabReport, RunResult } from "../../report/run-result.ts";
import type { LabRequest } from "../../runner/lab-request.ts";
import { paletteFor } from "../colours.ts";
import type { CliWorld } from "../world.ts";
import { listenForInterruption } from "./interruption.ts";
import { ProgressLines } from "./progress-lines.ts";
import { defaultResultsPath, openResultsFolder, type ResultsFolder } from "./results-folder.ts";
import { tellGithub } from "./tell-github.ts";
import type { OutputOptions } from "./run-options.ts";
import { tellReport } from "./tell-report.ts";

export interface Performance {
  readonly request: Omit<LabRequest, "backend" | "signal" | "onProgress">;
  readonly options: OutputOptions;
  readonly thresholds?: readonly Threshold[];
  /** The command line as it was typed, for the report. */
  readonly command: string;
  /** Completes a result before it is shown and written. */
  readonly finish: (run: RunResult) => RunResult;
}

/**
 * @returns the exit code.
 * @throws UsageError, InfrastructureError: one sentence, nothing was played.
 */
export async function playAndTell(performance: Performance, world: CliWorld): Promise<number> {
  const { options, command } = performance;
  const startedMs = world.nowMs();
  const startedAt = new Date(startedMs).toISOString();
  const folder = openResultsFolder(options.out ?? defaultResultsPath(startedAt), {
    junitFile: options.junit,
    labVersion: world.version,
  });

  const { runs, interrupted } = await play(performance, folder, world);
  const thresholds = judgeThresholds(performance.thresholds ?? [], runs);
  const report: LabReport = {
    version: 1,
    command,
    startedAt,
    durationMs: Math.round(world.nowMs() - startedMs),
    exitCode: exitCodeFor(runs, { interrupted, thresholds }),
    interrupted,
    runs,
    thresholds,
  };
  folder.writeReport(report);
  tell(report, folder, { world, options });
  tellGithub(
    { annotations: githubAnnotations(report), summary: summaryMarkdown(report) },
    { world, output: options.json ? world.err : world.out },
  );
  return report.exitCode;
}

async function play(
  { request, options, finish }: Performance,
  folder: ResultsFolder,
  world: CliWorld,
): Promise<{ readonly runs: readonly RunResult[]; readonly interrupted: boolean }> {
  const output = options.json ? world.err : world.out;
  const progress = new ProgressLines(output, paletteFor(output, world.env));
  const interruption = listenForInterruption(world, () => {
    progress.say("Stopping; what was started is being ended. Once more ends at once.");
  });
  const { signal } = interruption;
  try {
    const { portBase } = options;
    const results = await world.laboratory.runLab({
      ...request,
      backend: await world.laboratory.createBackend(options.backend, { portBase }),
      signal,
      onProgress: (event) => {
        if (event.kind === "run-finished") {
          const result = finish(event.result);
          folder.writeRun(result);
          progress.show({ kind: "run-finished", result });
        } else progress.show(event);
      },
    });
    return { runs: results.map(finish), interrupted: signal.aborted };
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
  { world, options }: { readonly world: CliWorld; readonly options: OutputOptions },
): void {
  const where = `Results: ${folder.path}\n`;
  if (options.json) {
    world.out.write(indexJson(report));
    world.err.write(where);
    return;
  }
  tellReport(report, { world, ascii: options.ascii ?? false });
  world.out.write(where);
}
