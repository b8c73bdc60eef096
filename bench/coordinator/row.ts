/** One line of the benchmark's table: a figure of ours, what it is compared with, and what it should be. */

export interface Row {
  readonly figure: string;
  readonly ours: number;
  /** What the figure is compared with; absent where it stands for itself. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** Of ours to the baseline: the median of the rounds, so it need not be the quotient of the two figures. */
  readonly ratio?: number;
  /** For the ratio where there is one, else for the figure. */
  readonly target?: Target;
}

export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** Somebody could not be measured: it did not start, ended, failed, or did not settle. */
export interface FailedRow {
  /** What was measured. */
  readonly figure: string;
  readonly subject: string;
  /** Why there is no figure. */
  readonly failure: string;
}

export type AnyRow = Row | FailedRow;

/** `undefined` where nothing is demanded. */
export function isMet(row: AnyRow): boolean | undefined {
  if ("failure" in row || row.target === undefined) return undefined;
  const judged = row.ratio ?? row.ours;
  return "atLeast" in row.target ? judged >= row.target.atLeast : judged <= row.target.atMost;
}

const HEADER = ["figure", "ours", "baseline", "", "ratio", "target", ""];

/** Some rows as text. */
export function tableOf(rows: readonly AnyRow[]): string {
  const figures = rows.flatMap((row) => ("failure" in row ? [] : [cellsOf(row)]));
  const cells = [HEADER, ...figures];
  const widths = HEADER.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        column % 2 === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const failures = rows.flatMap((row) => ("failure" in row ? [failureText(row)] : []));
  return `${[...(figures.length > 0 ? lines : []), ...failures].join("\n")}\n`;
}

/** One sentence that counts what was missed. */
export function verdictOf(rows: readonly AnyRow[]): string {
  const missed = rows.filter((row) => isMet(row) === false);
  const targetCount = rows.filter((row) => isMet(row) !== undefined).length;
  const failures = rows.flatMap((row) => ("failure" in row ? [failureText(row)] : []));
  const verdict =
    missed.length === 0
      ? `All ${targetCount} targets are met.`
      : `${missed.length} of ${targetCount} targets are missed: ${missed.map(({ figure }) => figure).join("; ")}.`;
  return failures.length === 0 ? verdict : `${verdict}\nNot measured: ${failures.join("; ")}.`;
}

function failureText({ figure, subject, failure }: FailedRow): string {
  return `${figure}, ${subject}: ${failure}`;
}

function cellsOf(row: Row): readonly string[] {
  const { figure, ours, baseline, ratio, target } = row;
  const met = isMet(row);
  return [
    figure,
    textOf(ours),
    baseline?.name ?? "",
    baseline === undefined ? "" : textOf(baseline.value),
    ratio === undefined ? "" : textOf(ratio),
    target === undefined ? "" : "atLeast" in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`,
    met === undefined ? "" : met ? "met" : "MISSED",
  ];
}

function textOf(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
