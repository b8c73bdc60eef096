/** How much of its story a run played: the counts that say whether a verdict rests on something. */
import { roundsToWinner } from "../checkers/split-votes.ts";
import type { RunResult } from "./run-result.ts";

export interface Coverage {
  readonly events: number;
  readonly acquires: number;
  readonly grants: number;
  /** Acquires that met somebody else's lock. */
  readonly contended: number;
  readonly writes: number;
  readonly faultsPlanned: number;
  readonly faultsApplied: number;
  /** How many rounds it took until somebody won (L4); 0 where nobody did. */
  readonly roundsMedian: number;
  readonly roundsP90: number;
  readonly roundsMost: number;
}

export function coverageOf({
  header,
  events,
  plan,
}: Pick<RunResult, "header" | "events" | "plan">): Coverage {
  const rounds = header === undefined ? undefined : roundsToWinner({ header, events });
  const count = (kind: string) => events.filter((event) => event.kind === kind).length;
  return {
    events: events.length,
    acquires: count("acquire-invoked"),
    grants: count("acquire-granted"),
    contended: events.filter((event) => event.kind === "acquire-failed" && event.code === "contended").length,
    writes: count("write-judged"),
    faultsPlanned: plan?.faults.length ?? 0,
    faultsApplied: count("fault-applied"),
    roundsMedian: rounds?.median ?? 0,
    roundsP90: rounds?.p90 ?? 0,
    roundsMost: rounds?.most ?? 0,
  };
}
