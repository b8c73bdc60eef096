/** Walks one bound with several threads, until it has been walked, something was found, or the time is over. */
import type { Bound, StartTally } from "../../explore/exhaustive/bound.ts";
import { startsOf } from "../../explore/exhaustive/walk.ts";
import type { WalkTask } from "../../explore/exhaustive/walk-start.ts";
import { runThreads } from "./thread-pool.ts";

export interface WalkedBound {
  readonly bound: Bound;
  readonly startsInAll: number;
  /** Of the starts that were walked to their end, in order; nothing after the first that failed. */
  readonly tallies: readonly StartTally[];
  /** Played in all, also from starts that were not walked to their end. */
  readonly playedCount: number;
}

type Answer =
  | { readonly kind: "progress"; readonly count: number }
  | { readonly kind: "done"; readonly task: WalkTask; readonly tally: StartTally };

export async function walkBound(
  bound: Bound,
  {
    threadCount,
    stop,
    onPlayed,
  }: {
    readonly threadCount: number;
    readonly stop: AbortSignal;
    readonly onPlayed: (count: number) => void;
  },
): Promise<WalkedBound> {
  const startsInAll = startsOf(bound).length;
  const tallies = new Map<number, StartTally>();
  let nextStart = 0;
  let lowestFailed = Infinity;
  let playedCount = 0;
  await runThreads<WalkTask, Answer>({
    file: "./exhaustive-thread.js",
    data: undefined,
    threadCount: Math.min(threadCount, startsInAll),
    stop,
    next: () => {
      if (stop.aborted || nextStart >= startsInAll || nextStart > lowestFailed) return undefined;
      nextStart += 1;
      return { bound, startIndex: nextStart - 1 };
    },
    take: (answer) => {
      if (answer.kind === "progress") {
        playedCount += answer.count;
        onPlayed(answer.count);
        return false;
      }
      const { task, tally } = answer;
      tallies.set(task.startIndex, tally);
      if (tally.failed !== undefined) lowestFailed = Math.min(lowestFailed, task.startIndex);
      return true;
    },
  });
  const counted = [...tallies]
    .filter(([index]) => index <= lowestFailed)
    .toSorted(([left], [right]) => left - right);
  const walked = counted.reduce((sum, [, { scheduleCount }]) => sum + scheduleCount, 0);
  return {
    bound,
    startsInAll,
    tallies: counted.map(([, tally]) => tally),
    playedCount: Math.max(playedCount, walked),
  };
}
