/** `redlock-lab merge`: joins what the shards of an exploration have found. */
import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../../lab-error.ts";
import { EXPLORE_FILE, tellExploration } from "../explore/explore-command.ts";
import type { Found } from "../explore/explore-report.ts";
import { replayOf } from "../explore/show-found.ts";
import { defaultResultsPath, openResultsFolder } from "../run/results-folder.ts";
import { isSamePlace } from "../same-place.ts";
import type { CliWorld } from "../world.ts";
import { mergeReports, reportFromJson, type ShardReport } from "./merge-reports.ts";

export interface MergeOptions {
  readonly out?: string;
  readonly json?: true;
}

/** @throws UsageError one sentence; nothing was written. */
export function mergeCommand(
  {
    paths,
    options,
    command,
  }: { readonly paths: readonly string[]; readonly options: MergeOptions; readonly command: string },
  world: CliWorld,
): number {
  const { out } = options;
  if (out !== undefined && paths.some((path) => isSamePlace(out, path))) {
    throw new UsageError(`${out} is one of the shards; name another folder with --out.`);
  }
  const shards = paths.map(readShard);
  const report = mergeReports(shards, command);
  const startedAt = new Date(world.nowMs()).toISOString();
  const folder = openResultsFolder(out ?? defaultResultsPath(startedAt), {
    labVersion: world.version,
  });
  const found = bringFound(report.found, shards, folder.path);
  tellExploration({ ...report, found }, { folder: folder.path, json: options.json === true, world });
  return report.exitCode;
}

/** The joined report stands by itself: the counterexample comes with it. */
function bringFound(found: Found | null, shards: readonly ShardReport[], folder: string): Found | null {
  const shard = shards.find(({ report }) => found !== null && report.found?.index === found.index);
  if (found === null || shard === undefined) return null;
  const from = join(
    statSync(shard.source).isDirectory() ? shard.source : dirname(shard.source),
    found.folder,
  );
  if (!existsSync(from))
    throw new UsageError(`${from} is missing: it holds what shard ${shard.source} found.`);
  const to = join(folder, found.folder);
  cpSync(from, to, { recursive: true });
  return { ...found, replay: replayOf(to, shard.report.question.backend ?? "simulated") };
}

/** A folder of results, or the file in it. */
function readShard(path: string): ShardReport {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, EXPLORE_FILE) : path;
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  try {
    return { source: path, report: reportFromJson(JSON.parse(readFileSync(file, "utf8")), path) };
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
