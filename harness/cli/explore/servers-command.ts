/** `redlock-lab explore --backend local`: the same search on real servers. */
import { counterexampleOnServers } from "../../explore/on-servers/shrink-on-servers.ts";
import { exploreOnServers, type ServerFindings } from "../../explore/on-servers/explore-on-servers.ts";
import type { Backend } from "../../backends/backend.ts";
import { InterruptedError, UsageError } from "../../lab-error.ts";
import { EMPTY_TALLY } from "../../explore/explore-range.ts";
import { WHOLE } from "../../runner/shard.ts";
import { listenForInterruption } from "../run/interruption.ts";
import { defaultResultsPath, openResultsFolder, type ResultsFolder } from "../run/results-folder.ts";
import type { CliWorld } from "../world.ts";
import { tellExploration } from "./explore-command.ts";
import { type ExploreOptions, questionOf } from "./explore-options.ts";
import { EXPLORE_SCHEMA, exploreExitCode, type ExploreQuestion, type Found } from "./explore-report.ts";
import { showCounterexample } from "./show-found.ts";

/** @throws UsageError, InfrastructureError: one sentence. */
export async function exploreServersCommand(
  { options, command }: { readonly options: ExploreOptions; readonly command: string },
  world: CliWorld,
): Promise<number> {
  if (options.shard !== undefined)
    throw new UsageError("--shard is for the simulation: servers play few schedules.");
  const startedMs = world.nowMs();
  const folder = openResultsFolder(options.out ?? defaultResultsPath(new Date(startedMs).toISOString()), {
    labVersion: world.version,
  });
  const backend = await world.laboratory.createBackend(options.backend, {});
  const question = questionOf(options, world);
  const interruption = listenForInterruption(world, () =>
    (options.json === true ? world.err : world.out).write("Stopping; once more ends at once.\n"),
  );
  const { signal } = interruption;
  try {
    const findings = await searched(question, { options, backend, signal, world });
    const found = await shown(findings, { options, backend, signal, folder, world });
    const { tally } = findings;
    const report = {
      schema: EXPLORE_SCHEMA,
      ...{ command, question, tally, found },
      interrupted: signal.aborted,
      durationMs: Math.round(world.nowMs() - startedMs),
      shards: [WHOLE],
      exitCode: exploreExitCode({ tally, found, interrupted: signal.aborted }),
    } as const;
    tellExploration(report, { folder: folder.path, json: options.json === true, world });
    return report.exitCode;
  } finally {
    interruption.stopListening();
  }
}

interface Running {
  readonly options: ExploreOptions;
  readonly backend: Backend;
  readonly signal: AbortSignal;
  readonly world: CliWorld;
}

async function searched(
  question: ExploreQuestion,
  { options, backend, signal, world }: Running,
): Promise<ServerFindings> {
  const output = options.json === true ? world.err : world.out;
  try {
    return await exploreOnServers({
      ...{ backend, signal, options: question, scheduleCount: question.schedules },
      concurrency: options.concurrency,
      onProgress: (count) => {
        if (output.isTerminal) output.write(`\r\u001b[2K${count} of ${question.schedules} schedules`);
      },
    });
  } catch (cause) {
    if (cause instanceof InterruptedError) return { tally: EMPTY_TALLY, failed: undefined };
    throw cause;
  } finally {
    if (output.isTerminal) output.write("\r\u001b[2K");
  }
}

async function shown(
  { failed }: ServerFindings,
  { options, backend, signal, folder, world }: Running & { readonly folder: ResultsFolder },
): Promise<Found | null> {
  const finding = failed?.judged.finding;
  if (failed === undefined || finding === undefined) return null;
  const counterexample = await counterexampleOnServers(
    { ...failed, judged: { ...failed.judged, finding } },
    { backend, signal, allow: options.allow, nowMs: world.nowMs },
  );
  return showCounterexample(counterexample, { index: failed.index, options, folder, world });
}
