/** What a terminal shows when all runs are over: the stories that tell something, then the table. */
import { explainRun } from "./explain.ts";
import { findingsOf } from "./findings.ts";
import { PLAIN_PALETTE } from "./palette.ts";
import type { RunResult } from "./run-result.ts";
import { terminalTable } from "./table.ts";
import { type TimelineOptions, timelineText, WIDTH_DEFAULT } from "./timeline.ts";
import { wrapLines } from "./wrap-lines.ts";

/** With more scenarios than this, one picture of each has to do. */
const ALL_PICTURES_SCENARIOS_MAX = 2;
/** With more, each one has its sentence, and whoever wants the picture plays the one story. */
const PICTURES_SCENARIOS_MAX = 12;
/** A broken machine fails everything: the first pictures are as good as all of them. */
const FAILED_PICTURES_MAX = 5;

export function terminalReport(runs: readonly RunResult[], options: TimelineOptions = {}): string {
  const pictured = picturedRuns(runs);
  const stories = toldRuns(runs).map((run) => storyBlock(run, pictured.has(run), options));
  return [...stories, terminalTable(runs, options)].join("\n\n");
}

/** One run of a story: what repeats it and how it ended, the picture, and the sentence that explains it. */
function storyBlock(run: RunResult, withPicture: boolean, options: TimelineOptions): string {
  const { palette = PLAIN_PALETTE, width = WIDTH_DEFAULT } = options;
  const title = `${run.scenario} ${run.variant}: ${run.title}`;
  const heading = isFailed(run)
    ? [palette.strong(run.replay), palette.bad(`${run.outcome}: ${run.reason}`), title]
    : [palette.strong(title), palette.faint(run.summary)];
  const picture = withPicture ? timelineText(run, options) : "";
  const explanation = explainRun(run);
  const sentence =
    explanation === undefined ? [] : wrapLines(`=> ${explanation}.`, width).map(palette.strong);
  const parts = [heading.join("\n"), picture, sentence.join("\n")].filter((part) => part !== "");
  return parts.join(picture === "" ? "\n" : "\n\n");
}

/** Every failed run, and the first of each variant that found what it was to find. */
function toldRuns(runs: readonly RunResult[]): readonly RunResult[] {
  const seen = new Set<string>();
  return runs.filter((run) => {
    if (isFailed(run)) return true;
    const name = `${run.scenario} ${run.variant}`;
    if (run.outcome !== "matched" || explainRun(run) === undefined || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function picturedRuns(runs: readonly RunResult[]): ReadonlySet<RunResult> {
  const told = toldRuns(runs);
  const failed = told.filter(isFailed).slice(0, FAILED_PICTURES_MAX);
  const telling = told.filter((run) => !isFailed(run));
  const scenarios = new Set(runs.map(({ scenario }) => scenario));
  if (scenarios.size <= ALL_PICTURES_SCENARIOS_MAX) return new Set([...failed, ...telling]);
  if (scenarios.size > PICTURES_SCENARIOS_MAX) return new Set(failed);
  const firsts = [...scenarios].flatMap((scenario) => {
    const own = telling.filter((run) => run.scenario === scenario);
    return own.find((run) => findingsOf(run).length > 0) ?? own[0] ?? [];
  });
  return new Set([...failed, ...firsts]);
}

function isFailed({ outcome }: RunResult): boolean {
  return outcome !== "matched" && outcome !== "skipped";
}
