/**
 * The same search on real servers: of the schedules of a seed those that the backend can play, in the order of
 * their indices. The lowest that fails wins, as in the simulation; what comes out may differ from run to run.
 */
import pLimit from "p-limit";
import type { Backend } from "../../backends/backend.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import { type DrawOptions, drawSchedule } from "../draw-schedule.ts";
import { addTallies, EMPTY_TALLY, type Tally, tallyOf } from "../explore-range.ts";
import { type JudgedSchedule, judgeHistory } from "../judge-schedule.ts";

export interface ServerSearch {
  readonly backend: Backend;
  readonly options: DrawOptions;
  /** How many schedules are to be played. */
  readonly scheduleCount: number;
  /** How many are played at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (scheduleCount: number) => void;
}

export interface PlayedSchedule {
  readonly index: number;
  readonly plan: RunPlan;
  readonly judged: JudgedSchedule;
}

export interface ServerFindings {
  readonly tally: Tally;
  /** The lowest that showed what must not be. */
  readonly failed: PlayedSchedule | undefined;
}

/** Where hardly any schedule can be played the search ends all the same. */
const DRAWN_PER_SCHEDULE_MAX = 100;

/** @throws InfrastructureError when servers are not to be had. */
export async function exploreOnServers(search: ServerSearch): Promise<ServerFindings> {
  const { backend, concurrency, signal, onProgress } = search;
  const limit = pLimit(concurrency);
  const played: PlayedSchedule[] = [];
  let lowestFailed = Infinity;
  await Promise.all(
    playableSchedules(search).map(({ index, plan }) =>
      limit(async () => {
        if (signal.aborted || index > lowestFailed) return;
        const judged = judgeHistory(await backend.play(plan, { signal }), plan);
        played.push({ index, plan, judged });
        if (judged.finding !== undefined) lowestFailed = Math.min(lowestFailed, index);
        onProgress(played.length);
      }),
    ),
  );
  // Those above the lowest that failed may or may not have been played: they do not count.
  const counted = played.filter(({ index }) => index <= lowestFailed);
  return {
    tally: counted.reduce((sum, { index, judged }) => addTallies(sum, tallyOf(index, judged)), EMPTY_TALLY),
    failed: counted.find(({ index }) => index === lowestFailed),
  };
}

function playableSchedules({
  backend,
  options,
  scheduleCount,
}: ServerSearch): readonly Pick<PlayedSchedule, "index" | "plan">[] {
  const playable: Pick<PlayedSchedule, "index" | "plan">[] = [];
  const drawnMax = scheduleCount * DRAWN_PER_SCHEDULE_MAX;
  for (let index = 0; index < drawnMax && playable.length < scheduleCount; index += 1) {
    const plan = drawSchedule(index, options);
    if (backend.whyNot(plan) === undefined) playable.push({ index, plan });
  }
  return playable;
}
