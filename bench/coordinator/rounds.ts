/** Measuring several subjects in turn, round after round: what disturbs the machine disturbs them all. */
import { medianOf } from "../simulation/measure.ts";
import type { Row, Target } from "./row.ts";
import type { SubjectName } from "./subject.ts";
import type { SubjectProcess } from "./subject-process.ts";

/** What each subject gave, one result for each round; nothing of those that failed in one of them. */
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
    for (const subject of order) {
      const result = await unlessFailed(subject, () => measure(subject));
      if (result === undefined) results.delete(subject.name);
      else results.get(subject.name)?.push(result);
    }
  }
  return results;
}

/** @returns `undefined` where the subject has failed by then: it keeps the reason, and is asked no more. */
export async function unlessFailed<Result>(
  subject: SubjectProcess,
  measure: () => Promise<Result>,
): Promise<Result | undefined> {
  if (subject.failure !== undefined) return undefined;
  try {
    return await measure();
  } catch (error) {
    if (!subject.hasFailed) throw error;
    return undefined;
  }
}

/** Which figure of two subjects' results is compared. */
export interface Comparison<Result> {
  readonly figure: string;
  readonly ours?: SubjectName;
  readonly baseline: SubjectName;
  readonly pick: (result: Result) => number;
  readonly target?: Target;
}

/** Compares round by round: the median of the ratios. No row where one of the two has failed. */
export function compare<Result>(rounds: Rounds<Result>, comparison: Comparison<Result>): readonly Row[] {
  const { figure, ours = "ours", baseline, pick, target } = comparison;
  const ourFigures = (rounds.get(ours) ?? []).map(pick);
  const baseFigures = (rounds.get(baseline) ?? []).map(pick);
  if (ourFigures.length === 0 || baseFigures.length === 0) return [];
  return [
    {
      figure,
      ours: medianOf(ourFigures),
      baseline: { name: baseline, value: medianOf(baseFigures) },
      ratio: medianOf(ourFigures.map((value, round) => value / (baseFigures[round] ?? Number.NaN))),
      ...(target === undefined ? {} : { target }),
    },
  ];
}
