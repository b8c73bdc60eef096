/** The reference schedule, played and judged by every checker, beside the bare loop. */
import { playSimulatedRun } from "../../harness/backends/simulated/simulated-run.ts";
import { ALL_CHECKERS } from "../../harness/checkers/all-checkers.ts";
import { playBareLoop } from "./bare-loop.ts";
import { referencePlan } from "./reference-plan.ts";
import { medianOf, secondsOf } from "./measure.ts";

export interface ScheduleSpeed {
  readonly schedulesPerS: number;
  readonly eventsPerS: number;
  readonly eventsPerSchedule: number;
  /** Virtual time to the time it took. */
  readonly timesRealTime: number;
  readonly bareSchedulesPerS: number;
  /** Median of the rounds: in each both are measured right after each other. */
  readonly ratioToBareLoop: number;
}

interface Played {
  eventCount: number;
  virtualMs: number;
}

const ROUND_COUNT = 9;
const SCHEDULES_PER_ROUND = 1000;
const WARM_UP_ROUNDS = 2;

/** Plays and judges one schedule. */
export function playReference(seed: number): Played {
  const plan = referencePlan(String(seed));
  const { header, events, stepCount } = playSimulatedRun(plan);
  const history = { header, events };
  for (const [name, check] of Object.entries(ALL_CHECKERS)) {
    const verdict = check(history, plan.demands);
    if (verdict.kind === "invalid") throw new Error(`${name}, seed ${seed}: ${verdict.evidence[0].sentence}`);
  }
  return { eventCount: stepCount, virtualMs: events.at(-1)?.atMs ?? 0 };
}

export function measureSchedules(): ScheduleSpeed {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) measureRound(round);
  const rounds = Array.from({ length: ROUND_COUNT }, (_, round) => measureRound(round));
  const median = (figure: (round: Round) => number): number => medianOf(rounds.map(figure));
  return {
    schedulesPerS: median(({ playedS }) => SCHEDULES_PER_ROUND / playedS),
    eventsPerS: median(({ playedS, eventCount }) => eventCount / playedS),
    eventsPerSchedule: median(({ eventCount }) => eventCount / SCHEDULES_PER_ROUND),
    timesRealTime: median(({ playedS, virtualMs }) => virtualMs / 1000 / playedS),
    bareSchedulesPerS: median(({ bareS }) => SCHEDULES_PER_ROUND / bareS),
    ratioToBareLoop: median(({ bareS, playedS }) => bareS / playedS),
  };
}

interface Round extends Played {
  readonly playedS: number;
  readonly bareS: number;
}

function measureRound(round: number): Round {
  const sum: Played = { eventCount: 0, virtualMs: 0 };
  const playedS = secondsOf(() => {
    for (let index = 0; index < SCHEDULES_PER_ROUND; index += 1) {
      const { eventCount, virtualMs } = playReference(round * SCHEDULES_PER_ROUND + index);
      sum.eventCount += eventCount;
      sum.virtualMs += virtualMs;
    }
  });
  const eventsEach = Math.round(sum.eventCount / SCHEDULES_PER_ROUND);
  const bareS = secondsOf(() => {
    for (let index = 0; index < SCHEDULES_PER_ROUND; index += 1) playBareLoop(eventsEach);
  });
  return { ...sum, playedS, bareS };
}
