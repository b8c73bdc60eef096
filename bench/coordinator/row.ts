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

/** `undefined` where nothing is demanded. */
export function isMet({ ours, ratio, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  const judged = ratio ?? ours;
  return "atLeast" in target ? judged >= target.atLeast : judged <= target.atMost;
}

const HEADER = ["figure", "ours", "baseline", "", "ratio", "target", ""];

/** The table as text, and one sentence that counts what was missed. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [HEADER, ...rows.map(cellsOf)];
  const widths = HEADER.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        column % 2 === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const missed = rows.filter((row) => isMet(row) === false);
  const targetCount = rows.filter((row) => isMet(row) !== undefined).length;
  const verdict =
    missed.length === 0
      ? `All ${targetCount} targets are met.`
      : `${missed.length} of ${targetCount} targets are missed: ${missed.map(({ figure }) => figure).join("; ")}.`;
  return `${lines.join("\n")}\n\n${verdict}\n`;
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
