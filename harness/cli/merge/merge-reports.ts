/** Joins the reports of an exploration's shards into one, or says why they do not belong together. Pure. */
import { z } from "zod";
import { allowanceOf } from "../../explore/allowance.ts";
import { addTallies, EMPTY_TALLY } from "../../explore/explore-range.ts";
import { UsageError } from "../../lab-error.ts";
import { EXPLORE_SCHEMA, exploreExitCode, type ExploreReport } from "../explore/explore-report.ts";

export interface ShardReport {
  /** Names it in sentences. */
  readonly source: string;
  readonly report: ExploreReport;
}

const count = z.int().min(0);

const REPORT_SCHEMA = z.object({
  schema: z.literal(EXPLORE_SCHEMA),
  command: z.string(),
  question: z.object({
    labVersion: z.string(),
    backend: z.enum(["simulated", "local"]).exactOptional(),
    seed: z.string(),
    schedules: count,
    allow: z.array(z.string().transform(allowanceOf)),
    strategy: z.string(),
    faultsMax: count,
  }),
  shards: z.array(z.object({ number: count.min(1), count: count.min(1) })).min(1),
  durationMs: z.number().min(0),
  interrupted: z.boolean(),
  tally: z.object({
    scheduleCount: count,
    vacuousCount: count,
    faults: z.record(z.string(), z.object({ applied: count, relevant: count })),
    failedIndex: count.optional(),
  }),
  found: z
    .object({
      index: count,
      kind: z.enum(["unsafe", "late"]),
      checker: z.string(),
      digest: z.string(),
      isDeterministic: z.boolean().nullable(),
      faults: z.object({ before: count, after: count }),
      triesCount: count,
      story: z.array(z.string()),
      folder: z.string(),
      replay: z.string(),
    })
    .nullable(),
  exitCode: count,
});

/** @throws UsageError one sentence that begins with the source. */
export function reportFromJson(json: unknown, source: string): ExploreReport {
  const { success, data, error } = REPORT_SCHEMA.safeParse(json);
  if (!success) {
    const [issue] = error.issues;
    throw new UsageError(
      `${source} is no report of an exploration: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}.`,
    );
  }
  const { tally, ...rest } = data;
  return { ...rest, tally: { ...tally, failedIndex: tally.failedIndex } };
}

/**
 * Counts are added up; of several failures the lowest index stays.
 *
 * @throws UsageError one sentence: shards of different explorations, one that is missing, or one that comes twice.
 */
export function mergeReports(reports: readonly ShardReport[], command: string): ExploreReport {
  const [first] = reports;
  if (first === undefined) throw new UsageError("Name the folders of all shards.");
  for (const other of reports) checkSameQuestion(first, other);
  checkShards(reports);
  const all = reports.map(({ report }) => report);
  const tally = all.reduce((sum, report) => addTallies(sum, report.tally), EMPTY_TALLY);
  const found =
    all.flatMap((report) => report.found ?? []).toSorted((left, right) => left.index - right.index)[0] ??
    null;
  const interrupted = all.some((report) => report.interrupted);
  return {
    schema: EXPLORE_SCHEMA,
    command,
    question: first.report.question,
    shards: [{ number: 1, count: 1 }],
    // Machines work side by side.
    durationMs: Math.max(...all.map(({ durationMs }) => durationMs)),
    ...{ interrupted, tally, found },
    exitCode: exploreExitCode({ tally, found, interrupted }),
  };
}

function checkSameQuestion(first: ShardReport, other: ShardReport): void {
  for (const [name, value] of Object.entries(first.report.question)) {
    const its: unknown = Reflect.get(other.report.question, name);
    if (JSON.stringify(its) === JSON.stringify(value)) continue;
    throw new UsageError(
      `${other.source} is of another exploration than ${first.source}: its ${name} is ${JSON.stringify(its)}, not ${JSON.stringify(value)}.`,
    );
  }
}

function checkShards(reports: readonly ShardReport[]): void {
  const count = reports[0]?.report.shards[0]?.count ?? 1;
  const seen = new Map<number, string>();
  for (const { source, report } of reports) {
    for (const shard of report.shards) {
      if (shard.count !== count) {
        throw new UsageError(`${source} is one of ${shard.count} shards, and the first one of ${count}.`);
      }
      const before = seen.get(shard.number);
      if (before !== undefined)
        throw new UsageError(`Shard ${shard.number} comes twice: ${before} and ${source}.`);
      seen.set(shard.number, source);
    }
  }
  const missing = Array.from({ length: count }, (_, index) => index + 1).find((number) => !seen.has(number));
  if (missing !== undefined) throw new UsageError(`Shard ${missing} of ${count} is missing.`);
}
