/** Every story with every strategy: who is caught by what. */
import type { Backend } from "../backends/backend.ts";
import { type CheckerName, LIVENESS_CHECKERS, SAFETY_CHECKERS } from "../checkers/checker-name.ts";
import type { Checkers } from "../checkers/checker.ts";
import type { MatrixCell, StrategyMatrix } from "../report/matrix-markdown.ts";
import type { RunResult } from "../report/run-result.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { playAll } from "./play-all.ts";

export interface MatrixRequest {
  readonly scenarios: readonly Scenario[];
  readonly strategies: readonly Strategy[];
  readonly backend: Backend;
  readonly checkers: Checkers;
  readonly seed: string;
}

/** A strategy is caught by a story if it breaks what has to hold in one of its variants. */
export async function playMatrix(request: MatrixRequest): Promise<StrategyMatrix> {
  const { scenarios, strategies, seed } = request;
  const cells: MatrixCell[] = [];
  for (const { name } of strategies) {
    const onTrial = await play(request, name);
    for (const { id } of scenarios) {
      const runs = onTrial.filter(({ scenario }) => scenario === id);
      cells.push({ scenario: id, strategy: name, ...standingOf(runs) });
    }
  }
  return { seed, scenarios, strategies, cells };
}

function play(
  { scenarios, backend, checkers, seed }: MatrixRequest,
  strategy: string,
): Promise<readonly RunResult[]> {
  return playAll(
    {
      ...{ scenarios, backend, seed, strategy },
      named: false,
      variants: [],
      overrides: {},
      repeat: 1,
      concurrency: 1,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
    checkers,
  );
}

function standingOf(runs: readonly RunResult[]): Pick<MatrixCell, "standing" | "broken"> {
  const broken = [...new Set(runs.flatMap(brokenIn))];
  if (broken.length > 0) return { standing: "caught", broken };
  if (runs.some(({ outcome }) => outcome === "matched")) return { standing: "held", broken };
  const isTold = runs.some(({ outcome }) => outcome !== "skipped");
  return { standing: isTold ? "unclear" : "untold", broken };
}

/** What was excused says nothing. */
function brokenIn({ checkers }: RunResult): readonly CheckerName[] {
  return checkers
    .filter(({ verdict, expected }) => verdict.kind === "invalid" && expected !== "any")
    .map(({ checker }) => checker)
    .filter((checker) => SAFETY_CHECKERS.includes(checker) || LIVENESS_CHECKERS.includes(checker));
}
