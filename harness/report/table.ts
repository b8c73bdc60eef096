/** The table at the end: one row for each variant, what every checker said, and whether that was expected. */
import { CHECKER_NAMES } from "../checkers/checker-name.ts";
import { type Paint, type Palette, PLAIN_PALETTE } from "./palette.ts";
import type { RunOutcome, RunResult } from "./run-result.ts";
import { type Standing, type VerdictCell, verdictCell } from "./verdict-cell.ts";

export interface TableRow {
  readonly scenario: string;
  readonly variant: string;
  readonly matched: number;
  readonly total: number;
  /** In the order of `CHECKER_NAMES`. */
  readonly cells: readonly (VerdictCell | undefined)[];
  /** The gravest among the repetitions. */
  readonly outcome: RunOutcome;
}

/** Gravest first. */
const OUTCOMES: readonly RunOutcome[] = [
  "violated",
  "infrastructure",
  "late",
  "not-reproduced",
  "inconclusive",
  "matched",
  "skipped",
];

const SIGNS: Readonly<Record<Standing, readonly [plain: string, ascii: string]>> = {
  valid: ["✓", "ok"],
  found: ["✗", "X"],
  "excused-valid": ["✓~", "ok~"],
  "excused-invalid": ["✗~", "X~"],
  "excused-unknown": ["?~", "?~"],
  undecided: ["?", "?"],
  missing: ["∅", "0"],
  unwanted: ["‼", "!!"],
};

const MEANINGS: readonly (readonly [Standing, string])[] = [
  ["valid", "valid"],
  ["found", "violation, as expected"],
  ["unwanted", "violation, NOT expected"],
  ["missing", "expected violation did not show"],
  ["undecided", "cannot tell"],
  ["excused-valid", "(~) either is accepted"],
];

export interface TableOptions {
  readonly palette?: Palette;
  readonly ascii?: boolean;
}

/** One row for each variant of each scenario, in the order in which they were first run. */
export function tableRows(runs: readonly RunResult[]): readonly TableRow[] {
  const groups = groupRuns(runs);
  return [...groups.values()].map((group) => ({
    scenario: group[0].scenario,
    variant: group[0].variant,
    matched: group.filter(({ outcome }) => outcome === "matched").length,
    total: group.length,
    cells: CHECKER_NAMES.map((checker) => verdictCell(group, checker)),
    outcome:
      OUTCOMES.find((candidate) => group.some(({ outcome }) => outcome === candidate)) ?? group[0].outcome,
  }));
}

/** The table for a terminal, with the legend of the signs that occur in it. */
export function terminalTable(runs: readonly RunResult[], options: TableOptions = {}): string {
  const { palette = PLAIN_PALETTE, ascii = false } = options;
  const rows = tableRows(runs);
  const table = [HEADINGS, ...rows.map((row) => textsOf(row, ascii))];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((texts) => texts[column]?.length ?? 0)));
  const pad = (text: string, column: number) => text.padEnd(widths[column] ?? 0);

  const lines = table.map((texts, index) => {
    const row = rows[index - 1];
    const cells = texts.map((text, column) => {
      const padded = pad(text, column);
      return (row === undefined ? palette.faint : paintFor(column, row, palette))(padded);
    });
    return cells.join(" ").trimEnd();
  });
  return [...lines, "", palette.faint(legendOf(rows, ascii))].join("\n");
}

const HEADINGS: readonly string[] = ["scenario", "variant", "matched", ...CHECKER_NAMES, "outcome"];
const FIRST_CHECKER_COLUMN = 3;

function groupRuns(runs: readonly RunResult[]): ReadonlyMap<string, readonly [RunResult, ...RunResult[]]> {
  const groups = new Map<string, [RunResult, ...RunResult[]]>();
  for (const run of runs) {
    const name = `${run.scenario} ${run.variant}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [run]);
    else group.push(run);
  }
  return groups;
}

function textsOf(row: TableRow, ascii: boolean): readonly string[] {
  const matched = `${row.matched} of ${row.total}`;
  return [row.scenario, row.variant, matched, ...row.cells.map((cell) => signOf(cell, ascii)), row.outcome];
}

/** The sign; with a count where the repetitions differ. */
function signOf(cell: VerdictCell | undefined, ascii: boolean): string {
  if (cell === undefined) return ascii ? "-" : "·";
  const sign = SIGNS[cell.standing][ascii ? 1 : 0];
  return cell.count === cell.total ? sign : `${sign} ${cell.count}/${cell.total}`;
}

function paintFor(column: number, row: TableRow, palette: Palette): Paint {
  if (column === HEADINGS.length - 1) return paintOf(row.outcome, palette);
  if (column < FIRST_CHECKER_COLUMN) return column === 0 ? palette.strong : (text) => text;
  switch (row.cells[column - FIRST_CHECKER_COLUMN]?.standing) {
    case "valid":
      return palette.good;
    case "found":
    case "undecided":
      return palette.notable;
    case "missing":
    case "unwanted":
      return palette.bad;
    default:
      return palette.faint;
  }
}

function paintOf(outcome: RunOutcome, palette: Palette): Paint {
  if (outcome === "matched") return palette.good;
  return outcome === "skipped" ? palette.faint : palette.bad;
}

function legendOf(rows: readonly TableRow[], ascii: boolean): string {
  const seen = new Set(rows.flatMap(({ cells }) => cells.map((cell) => family(cell?.standing))));
  const entries = MEANINGS.filter(([standing]) => seen.has(standing)).map(([standing, meaning]) =>
    standing === "excused-valid" ? meaning : `${SIGNS[standing][ascii ? 1 : 0]} ${meaning}`,
  );
  return entries.join("   ");
}

/** The three excused standings share one line of the legend. */
function family(standing: Standing | undefined): Standing | undefined {
  return standing?.startsWith("excused-") ? "excused-valid" : standing;
}
