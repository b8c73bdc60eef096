/** How much of its story a run played: the counts that say whether a verdict rests on something. */
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
}

export function coverageOf({ events, plan }: Pick<RunResult, "events" | "plan">): Coverage {
  const count = (kind: string) => events.filter((event) => event.kind === kind).length;
  return {
    events: events.length,
    acquires: count("acquire-invoked"),
    grants: count("acquire-granted"),
    contended: events.filter((event) => event.kind === "acquire-failed" && event.code === "contended").length,
    writes: count("write-judged"),
    faultsPlanned: plan?.faults.length ?? 0,
    faultsApplied: count("fault-applied"),
  };
}
