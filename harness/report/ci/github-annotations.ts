/** A report as GitHub Actions' workflow commands: one annotation for each invariant that broke, not one for each run. */
import { unwantedFindings } from "../findings.ts";
import type { RunOutcome, RunResult } from "../run-result.ts";
import { thresholdSentence } from "./threshold.ts";
import type { ThresholdResult } from "./threshold-result.ts";

type Level = "error" | "warning";

interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
}

/** GitHub shows no more than ten of a kind for a step. */
const EACH_LEVEL_MAX = 10;

const OTHER_OUTCOMES: readonly (readonly [RunOutcome, Level, string])[] = [
  ["infrastructure", "error", "not played: a server, a port or a program is missing"],
  ["non-deterministic", "error", "two plays of one schedule differed"],
  ["not-reproduced", "warning", "an expected violation did not show"],
  ["inconclusive", "warning", "inconclusive"],
];

/** Lines to be written as they are, each ending the line before it. */
export function githubAnnotations({
  runs,
  thresholds,
}: {
  readonly runs: readonly RunResult[];
  readonly thresholds: readonly ThresholdResult[];
}): readonly string[] {
  const all = [...findingAnnotations(runs), ...outcomeAnnotations(runs), ...thresholdAnnotations(thresholds)];
  return (["error", "warning"] as const).flatMap((level) =>
    all
      .filter((annotation) => annotation.level === level)
      .slice(0, EACH_LEVEL_MAX)
      .map(annotationLine),
  );
}

/** One line of a workflow's log that GitHub turns into an annotation. */
export function annotationLine({ level, title, message }: Annotation): string {
  return `::${level} title=${escapeProperty(title)}::${escapeMessage(message)}`;
}

function findingAnnotations(runs: readonly RunResult[]): readonly Annotation[] {
  const firsts = new Map<string, { readonly run: RunResult; readonly sentence: string; count: number }>();
  for (const run of runs) {
    if (run.outcome !== "violated" && run.outcome !== "late") continue;
    for (const { checker, evidence } of unwantedFindings(run)) {
      const first = firsts.get(checker);
      if (first === undefined) firsts.set(checker, { run, sentence: evidence[0].sentence, count: 1 });
      else first.count++;
    }
  }
  return [...firsts].map(([checker, { run, sentence, count }]) => ({
    level: "error",
    title: `redlock-lab: ${checker} broken in ${nameOf(run)}`,
    message: `${sentence}${andMore(count)}\n${run.replay}`,
  }));
}

function outcomeAnnotations(runs: readonly RunResult[]): readonly Annotation[] {
  return OTHER_OUTCOMES.flatMap(([outcome, level, what]) => {
    const concerned = runs.filter((run) => run.outcome === outcome);
    const [first] = concerned;
    if (first === undefined) return [];
    const message = `${nameOf(first)}: ${first.reason}${andMore(concerned.length)}\n${first.replay}`;
    return [{ level, title: `redlock-lab: ${what}`, message }];
  });
}

function thresholdAnnotations(thresholds: readonly ThresholdResult[]): readonly Annotation[] {
  return thresholds
    .filter(({ outcome }) => outcome !== "kept")
    .map((result) => ({
      level: result.outcome === "breached" ? "error" : "warning",
      title: `redlock-lab: --${result.name} ${result.outcome}`,
      message: thresholdSentence(result),
    }));
}

function nameOf({ scenario, variant }: RunResult): string {
  return `${scenario} ${variant}`;
}

function andMore(count: number): string {
  return count === 1 ? "" : ` (and in ${count - 1} more runs)`;
}

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
