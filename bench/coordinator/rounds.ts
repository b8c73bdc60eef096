/** Measuring several subjects in turn, round after round: what disturbs the machine disturbs them all. */
import { medianOf } from "../simulation/measure.ts";
import type { Row, Target } from "./row.ts";
import type { SubjectName } from "./subject.ts";
import type { SubjectProcess } from "./subject-process.ts";

/** What each subject gave, one result for each round. */
export type Rounds<Result> = ReadonlyMap<SubjectName, readonly Result[]>;

/** Every other round goes through the subjects backwards, so that none always has the same neighbour. */
export async function inRounds<Result>(
  roundCount: number,
  subjects: readonly SubjectProcess[],
  measure: (subject: SubjectProcess) => Promise<Result>,
): Promise<Rounds<Result>> {
  const results = new Map<SubjectName, Result[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < roundCount; round++) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed();
    for (const subject of order) results.get(subject.name)?.push(await measure(subject));
  }
  return results;
}

/** Which figure of two subjects' results is compared. */
export interface Comparison<Result> {
  readonly figure: string;
  readonly ours?: SubjectName;
  readonly baseline: SubjectName;
  readonly pick: (result: Result) => number;
  readonly target?: Target;
}

/** Compares round by round: the median of the ratios. */
export function compare<Result>(rounds: Rounds<Result>, comparison: Comparison<Result>): Row {
  const { figure, ours = "ours", baseline, pick, target } = comparison;
  const ourFigures = (rounds.get(ours) ?? []).map(pick);
  const baseFigures = (rounds.get(baseline) ?? []).map(pick);
  return {
    figure,
    ours: medianOf(ourFigures),
    baseline: { name: baseline, value: medianOf(baseFigures) },
    ratio: medianOf(ourFigures.map((value, round) => value / (baseFigures[round] ?? Number.NaN))),
    ...(target === undefined ? {} : { target }),
  };
}
