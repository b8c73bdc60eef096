/** How long it takes from a drawn schedule that fails to the smallest one, where that has two faults. */
import type { Allowance } from "../../harness/explore/allowance.ts";
import { type Counterexample, counterexampleFrom } from "../../harness/explore/counterexample.ts";
import { drawSchedule } from "../../harness/explore/draw-schedule.ts";
import { judgeSchedule } from "../../harness/explore/judge-schedule.ts";
import { medianOf, secondsOf } from "./measure.ts";

export interface ShrinkSpeed {
  readonly counterexampleCount: number;
  readonly shrunkS: number;
}

const ALLOW: readonly Allowance[] = ["eviction"];
const FAULT_COUNT = 2;
const SAMPLE_COUNT = 10;
const SCHEDULES_MAX = 2000;

export function measureShrinking(): ShrinkSpeed {
  const tookS: number[] = [];
  for (let index = 0; index < SCHEDULES_MAX && tookS.length < SAMPLE_COUNT; index += 1) {
    const plan = drawSchedule(index, { seed: "1", allow: ALLOW, faultsMax: 6, strategy: "redlock" });
    if (plan.faults.length <= FAULT_COUNT || judgeSchedule(plan).finding === undefined) continue;
    let found: Counterexample | undefined;
    const seconds = secondsOf(() => {
      found = counterexampleFrom(plan, ALLOW);
    });
    if (found?.plan.faults.length === FAULT_COUNT) tookS.push(seconds);
  }
  return { counterexampleCount: tookS.length, shrunkS: medianOf(tookS) };
}
