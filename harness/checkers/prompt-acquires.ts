/** Where a quorum is in reach and nobody else is there, an acquire succeeds, and waits for nobody it can spare. */
import { acquiresOf, type Call } from "../history/calls.ts";
import type { History } from "../history/history.ts";
import type { VacuityDemand } from "../scenario/run-plan.ts";
import type { Evidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

export function findSlowAcquires(history: History, { promptAcquires }: VacuityDemand): readonly Evidence[] {
  if (promptAcquires === undefined) return [];
  const acquires = acquiresOf(history);
  return [
    ...acquires.flatMap((call) => {
      const code = call.returned?.code;
      return code === undefined ? [] : [evidenceOf(call, `failed (${code}) with a quorum in reach`)];
    }),
    ...tooSlow(acquires, promptAcquires.medianBelowMs),
  ];
}

function tooSlow(acquires: readonly Call[], belowMs: number): readonly Evidence[] {
  const byDuration = acquires.toSorted((left, right) => tookMs(left) - tookMs(right));
  const median = byDuration[Math.floor(byDuration.length / 2)];
  if (median === undefined || tookMs(median) < belowMs) return [];
  const took = `took ${formatMs(tookMs(median))} ms, the median of ${acquires.length}`;
  return [evidenceOf(median, `${took}; with a quorum in reach it has to be below ${formatMs(belowMs)} ms`)];
}

/** A call that never came back took for ever. */
function tookMs({ invoked, returned }: Call): number {
  return returned === undefined ? Infinity : returned.moment.atMs - invoked.atMs;
}

function evidenceOf({ id, worker, invoked, returned }: Call, what: string): Evidence {
  return {
    sentence: `acquire ${id} of ${worker}, invoked at ${formatMs(invoked.atMs)}, ${what}`,
    fromMs: invoked.atMs,
    toMs: returned?.moment.atMs ?? invoked.atMs,
    seqs: [invoked.seq],
  };
}
