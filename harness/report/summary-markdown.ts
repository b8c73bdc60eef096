/** `summary.md`: the table first, then what happened run by run, folded, for a pull request or a CI summary. */
import { CHECKER_NAMES } from "../checkers/checker-name.ts";
import { thresholdSentence } from "./ci/threshold.ts";
import type { ThresholdResult } from "./ci/threshold-result.ts";
import { explainRun } from "./explain.ts";
import { unwantedFindings } from "./findings.ts";
import type { LabReport, RunResult } from "./run-result.ts";
import { tableRows } from "./table.ts";
import type { Standing, VerdictCell } from "./verdict-cell.ts";

/** CI systems cut summaries at 1 MiB; the table has to survive. */
const DETAILS_MAX = 200;

const WORDS: Readonly<Record<Standing, string>> = {
  valid: "valid",
  found: "violation (expected)",
  "excused-valid": "valid (either accepted)",
  "excused-invalid": "violation (accepted)",
  "excused-unknown": "unknown (accepted)",
  undecided: "unknown",
  missing: "**valid, violation expected**",
  unwanted: "**VIOLATION**",
};

export function summaryMarkdown(report: LabReport): string {
  const matched = report.runs.filter(({ outcome }) => outcome === "matched").length;
  const ending = report.interrupted ? ", interrupted" : "";
  const details = report.runs.slice(0, DETAILS_MAX).map(detailOf);
  const omitted = report.runs.length - details.length;
  return [
    "# Redlock lab",
    "",
    `**${matched} of ${report.runs.length} runs matched their expectations** (exit code ${report.exitCode}${ending}).`,
    "",
    `\`${report.command.replaceAll("`", "'")}\`, started ${report.startedAt}, took ${secondsText(report.durationMs)}.`,
    "",
    ...thresholdLines(report.thresholds),
    ...tableLines(report.runs),
    "",
    ...details.flatMap((detail) => [...detail, ""]),
    ...(omitted > 0 ? [`${omitted} more runs are in result.json.`, ""] : []),
  ].join("\n");
}

const SIGNS: Readonly<Record<ThresholdResult["outcome"], string>> = {
  kept: "✅",
  breached: "❌",
  unmeasured: "❔",
};

function thresholdLines(thresholds: readonly ThresholdResult[]): readonly string[] {
  if (thresholds.length === 0) return [];
  return [...thresholds.map((result) => `- ${SIGNS[result.outcome]} ${thresholdSentence(result)}`), ""];
}

function tableLines(runs: readonly RunResult[]): readonly string[] {
  const headings = ["scenario", "variant", "matched", ...CHECKER_NAMES, "outcome"];
  const rows = tableRows(runs).map((row) => [
    row.scenario,
    row.variant,
    `${row.matched} of ${row.total}`,
    ...row.cells.map(wordsOf),
    row.outcome === "matched" ? row.outcome : `**${row.outcome}**`,
  ]);
  return [headings, headings.map(() => "---"), ...rows].map(
    (texts) => `| ${texts.map(cellText).join(" | ")} |`,
  );
}

function wordsOf(cell: VerdictCell | undefined): string {
  if (cell === undefined) return "";
  const words = WORDS[cell.standing];
  return cell.count === cell.total ? words : `${words} ${cell.count} of ${cell.total}`;
}

function detailOf(run: RunResult): readonly string[] {
  const sentences = unwantedFindings(run).flatMap(({ checker, evidence }) =>
    evidence.slice(0, 1).map(({ sentence }) => `- ${checker}: ${inlineText(sentence)}`),
  );
  const explanation = explainRun(run);
  const name = `${run.scenario} ${run.variant} #${run.repetition}: ${run.outcome}`;
  return [
    run.outcome === "matched" ? "<details>" : "<details open>",
    `<summary>${inlineText(name)} - ${inlineText(run.title)}</summary>`,
    "",
    `    ${run.replay.replaceAll("\n", " ")}`,
    "",
    inlineText(run.reason),
    ...(explanation === undefined ? [] : ["", inlineText(explanation)]),
    ...(sentences.length === 0 ? [] : ["", ...sentences]),
    "",
    "</details>",
  ];
}

/** Text from a run may hold anything; in a table a bar or a line break would end the cell. */
function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

function inlineText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(/\s+/g, " ");
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
