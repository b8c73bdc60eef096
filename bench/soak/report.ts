import { memoryGrowthOf } from "./memory-growth.ts";
import type { SoakPlan, SoakResult } from "./soak.ts";

const MS_PER_MINUTE = 60_000;

/** First how to repeat it, then the verdict, then what happened. */
export function soakReport(plan: SoakPlan, result: SoakResult): string {
  const { problems, roundCount, faults, outcomes, orphanCount, heapMb } = result;
  const verdict = problems.length === 0 ? "Nothing is left." : `${problems.length} problems:`;
  return [
    `npm run soak -- --minutes ${plan.durationMs / MS_PER_MINUTE} --seed ${plan.seed} --workers ${plan.workerCount}`,
    verdict,
    ...problems.map((problem) => `  ${problem}`),
    "",
    `${roundCount} rounds, ${orphanCount} orphans`,
    ...heapMb.map((heaps, index) => `heap of worker ${index + 1}: ${memoryText(heaps)}`),
    `faults: ${countsText(faults)}`,
    "acts:",
    ...[...outcomes]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([what, count]) => `  ${what} ${count}`),
    "",
  ].join("\n");
}

function memoryText(heapMb: readonly number[]): string {
  const growth = memoryGrowthOf(heapMb);
  const last = `${(heapMb.at(-1) ?? 0).toFixed(1)} MB`;
  if (growth === undefined) return `${last}, too few rounds to say whether it grows`;
  return `${last}, ${growth.isFlat ? "flat" : "growing"} (${growth.growthMb.toFixed(1)} MB from the fifth round on)`;
}

function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
}
