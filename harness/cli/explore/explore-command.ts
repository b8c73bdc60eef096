/** `redlock-lab explore`: searches for schedules that show what must not be, and shrinks the first. */
import { drawSchedule } from "../../explore/draw-schedule.ts";
import type { Tally } from "../../explore/explore-range.ts";
import { blocksOf } from "../../explore/blocks.ts";
import { WHOLE } from "../../runner/shard.ts";
import { listenForInterruption } from "../run/interruption.ts";
import { defaultResultsPath, openResultsFolder } from "../run/results-folder.ts";
import type { CliWorld } from "../world.ts";
import { type ExploreOptions, questionOf } from "./explore-options.ts";
import { explorePool } from "./explore-pool.ts";
import {
  EXPLORE_SCHEMA,
  exploreExitCode,
  type ExploreQuestion,
  type ExploreReport,
  exploreText,
} from "./explore-report.ts";
import { showFound } from "./show-found.ts";
import { tellSearch } from "./tell-search.ts";

export const EXPLORE_FILE = "explore.json";

/** @throws UsageError, InfrastructureError: one sentence. */
export async function exploreCommand(
  { options, command }: { readonly options: ExploreOptions; readonly command: string },
  world: CliWorld,
): Promise<number> {
  const startedMs = world.nowMs();
  const startedAt = new Date(startedMs).toISOString();
  const folder = openResultsFolder(options.out ?? defaultResultsPath(startedAt), {
    labVersion: world.version,
  });
  const question = questionOf(options, world);
  const { tally, interrupted } = await search(options, question, world);
  const durationMs = Math.round(world.nowMs() - startedMs);
  const found =
    tally.failedIndex === undefined
      ? null
      : showFound(drawSchedule(tally.failedIndex, question), {
          index: tally.failedIndex,
          allow: question.allow,
          options,
          folder,
          world,
        });
  const report: ExploreReport = {
    schema: EXPLORE_SCHEMA,
    ...{ command, question, durationMs, interrupted, tally, found },
    shards: [options.shard ?? WHOLE],
    exitCode: exploreExitCode({ tally, found, interrupted }),
  };
  tellExploration(report, { folder: folder.path, json: options.json === true, world });
  return report.exitCode;
}

async function search(
  { shard = WHOLE, threads, json }: ExploreOptions,
  question: ExploreQuestion,
  world: CliWorld,
): Promise<{ readonly tally: Tally; readonly interrupted: boolean }> {
  const output = json ? world.err : world.out;
  const interruption = listenForInterruption(world, () =>
    output.write("Stopping; once more ends at once.\n"),
  );
  const { signal } = interruption;
  const blocks = blocksOf(question.schedules, shard);
  const planned = blocks.reduce((sum, { fromIndex, toIndex }) => sum + toIndex - fromIndex, 0);
  try {
    const tally = await explorePool({
      options: question,
      blocks,
      threadCount: threads,
      signal,
      onProgress: (count) => {
        if (output.isTerminal) output.write(`\r\u001b[2K${count} of ${planned} schedules`);
      },
    });
    return { tally, interrupted: signal.aborted };
  } finally {
    interruption.stopListening();
    if (output.isTerminal) output.write("\r\u001b[2K");
  }
}

/** Writes the report down and says what is in it. */
export function tellExploration(
  report: ExploreReport,
  { folder, json, world }: { readonly folder: string; readonly json: boolean; readonly world: CliWorld },
): void {
  const { command, durationMs, exitCode, found, question, tally } = report;
  const startedAt = new Date(world.nowMs() - durationMs).toISOString();
  const name = `${tally.scheduleCount} schedules of ${question.strategy}, seed ${question.seed}`;
  tellSearch({ name, command, text: exploreText(report), startedAt, durationMs, exitCode, found }, report, {
    folder,
    fileName: EXPLORE_FILE,
    json,
    world,
  });
}
