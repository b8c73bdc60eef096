/** Reads a schedule from a file, or from the folder that a run has left, with what was expected and found then. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { z } from "zod";
import { CHECKER_NAMES } from "../../checkers/checker-name.ts";
import { digestOf } from "../../history/digest.ts";
import { UsageError } from "../../lab-error.ts";
import { RUN_FILES } from "../../report/run-folder.ts";
import { planFromJson } from "../../scenario/plan-from-json.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import type { Expectations } from "../../scenario/scenario.ts";

export interface RecordedRun {
  /** The schedule's own. */
  readonly file: string;
  readonly plan: RunPlan;
  /** Empty where nothing is said: then every violation counts. */
  readonly expect: Expectations;
  readonly title: string | undefined;
  readonly summary: string | undefined;
  /** What came out when it was recorded; only of a deterministic backend. */
  readonly recorded: { readonly digest: string; readonly labVersion: string } | undefined;
}

const EDITED = "A schedule that was edited after its run";

/** Of `result.json`, what matters here; it has more. */
const RESULT_SCHEMA = z.object({
  title: z.string().optional(),
  summary: z.string().optional(),
  digest: z.string().optional(),
  labVersion: z.string().optional(),
  scheduleDigest: z.string().nullish(),
  checkers: z.array(
    z.object({ checker: z.enum(CHECKER_NAMES), expected: z.enum(["valid", "invalid", "any"]) }),
  ),
});

/**
 * @param path a `schedule.json`, or the folder of a run that holds one.
 * @throws UsageError one sentence that begins with the path.
 */
export function readRecordedRun(path: string): RecordedRun {
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  const file = statSync(path).isDirectory() ? join(path, RUN_FILES.schedule) : path;
  if (!existsSync(file)) {
    throw new UsageError(
      `${path} holds no ${RUN_FILES.schedule}; give the folder of a run, or the file itself.`,
    );
  }
  const schedule = readJson(file);
  return { file, plan: planFromJson(schedule, file), ...resultBeside(file, schedule) };
}

/** Only a schedule that still has its own name belongs to the result beside it. */
function resultBeside(file: string, schedule: unknown): Omit<RecordedRun, "file" | "plan"> {
  const resultFile = join(dirname(file), RUN_FILES.result);
  const nothing = { expect: {}, title: undefined, summary: undefined, recorded: undefined };
  if (basename(file) !== RUN_FILES.schedule || !existsSync(resultFile)) return nothing;
  const { success, data } = RESULT_SCHEMA.safeParse(readJson(resultFile));
  if (!success) return nothing;
  const { title, summary, digest, labVersion, scheduleDigest, checkers } = data;
  // What was changed since is another schedule: nothing that was expected of the old one holds of it.
  if (typeof scheduleDigest === "string" && scheduleDigest !== digestOf(schedule)) {
    return { ...nothing, title: EDITED };
  }
  return {
    expect: Object.fromEntries(checkers.map(({ checker, expected }) => [checker, expected])),
    title,
    summary,
    recorded: digest === undefined || labVersion === undefined ? undefined : { digest, labVersion },
  };
}

function readJson(file: string): unknown {
  if (extname(file) === ".jsonl") {
    throw new UsageError(
      `${file} is a history, which \`redlock-lab check\` judges; to play it again give the folder it lies in.`,
    );
  }
  try {
    const text = readFileSync(file, "utf8");
    if (text.trim() === "") throw new UsageError(`${file} is empty.`);
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${file} cannot be read: ${reason}`, { cause });
  }
}
