/** Which story catches which strategy, as a page for readers. */
import type { CheckerName } from "../checkers/checker-name.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Strategy } from "../strategies/strategy.ts";

/**
 * - `caught`: it broke what has to hold. `held`: it broke nothing.
 * - `unclear`: the story did not come about with it. `untold`: the story cannot be told for it.
 */
export type MatrixStanding = "caught" | "held" | "unclear" | "untold";

export interface MatrixCell {
  readonly scenario: string;
  readonly strategy: string;
  readonly standing: MatrixStanding;
  /** What was broken, where it was caught. */
  readonly broken: readonly CheckerName[];
}

export interface StrategyMatrix {
  readonly seed: string;
  /** The rows, in order. */
  readonly scenarios: readonly Pick<Scenario, "id" | "title">[];
  /** The columns, in order. */
  readonly strategies: readonly Pick<Strategy, "name" | "summary">[];
  readonly cells: readonly MatrixCell[];
}

const SIGNS: Readonly<Record<MatrixStanding, string>> = { caught: "●", held: "·", unclear: "?", untold: " " };

export function matrixMarkdown(matrix: StrategyMatrix): string {
  const { seed, scenarios, strategies } = matrix;
  const numbers = strategies.map((_, index) => String(index));
  return [
    "# Which story catches which mutant",
    "",
    "Written by `npm run matrix`, checked by `npm test`. A mutant is the shipped coordinator with one rule bent. Each",
    `of the ${scenarios.length} stories was played with each of them on the simulated backend, seed ${seed}.`,
    "",
    ...table(["#", "strategy", "what it does", "caught by"], strategies.map(strategyRow(matrix))),
    "",
    "● caught: something that has to hold was broken. · held. ? the story did not come about with it.",
    "",
    ...table(["story", ...numbers], scenarios.map(scenarioRow(matrix))),
    "",
  ].join("\n");
}

function strategyRow({ cells }: StrategyMatrix) {
  return ({ name, summary }: Pick<Strategy, "name" | "summary">, index: number): readonly string[] => {
    const caught = cells.filter(({ strategy, standing }) => strategy === name && standing === "caught");
    const by = caught.map(({ scenario, broken }) => `${scenario} (${broken.join(", ")})`);
    return [String(index), `\`${name}\``, summary, by.length === 0 ? "nothing" : by.join("; ")];
  };
}

function scenarioRow({ strategies, cells }: StrategyMatrix) {
  return ({ id, title }: Pick<Scenario, "id" | "title">): readonly string[] => [
    `${id} ${title}`,
    ...strategies.map(({ name }) => {
      const cell = cells.find(({ scenario, strategy }) => scenario === id && strategy === name);
      return SIGNS[cell?.standing ?? "untold"];
    }),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
