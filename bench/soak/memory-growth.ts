/** Whether the heap grows, from what it was after each round. */

/** Rounds in which code is compiled, pools are filled, and deletes that are repeated become as many as they ever are. */
const WARM_UP_COUNT = 4;
const ROUNDS_MIN = 4;
const GROWTH_SHARE_MAX = 0.1;
/** Below this it is noise. */
const GROWTH_MAX_MB = 1;

export interface MemoryGrowth {
  readonly firstMb: number;
  /** Along the straight line that fits best, from the first round that counts to the last. */
  readonly growthMb: number;
  readonly isFlat: boolean;
}

/** `undefined` while there are too few rounds to say. */
export function memoryGrowthOf(heapMb: readonly number[]): MemoryGrowth | undefined {
  const judged = heapMb.slice(WARM_UP_COUNT);
  if (judged.length < ROUNDS_MIN) return undefined;
  const middle = (judged.length - 1) / 2;
  const meanMb = judged.reduce((sum, mb) => sum + mb, 0) / judged.length;
  let above = 0;
  let below = 0;
  for (const [round, mb] of judged.entries()) {
    above += (round - middle) * (mb - meanMb);
    below += (round - middle) ** 2;
  }
  const growthMb = (above / below) * (judged.length - 1);
  const isFlat = growthMb <= GROWTH_MAX_MB || growthMb <= meanMb * GROWTH_SHARE_MAX;
  return { firstMb: meanMb - growthMb / 2, growthMb, isFlat };
}
