/** What was measured, with what it should be. */
import type { MemoryUse } from "./memory.ts";
import type { JudgingSpeed } from "./million-holds.ts";
import type { ScheduleSpeed } from "./reference-schedules.ts";
import type { ShrinkSpeed } from "./shrinking.ts";

export interface Measured {
  readonly schedules: ScheduleSpeed;
  readonly memory: MemoryUse;
  readonly judging: JudgingSpeed;
  readonly shrinking: ShrinkSpeed;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Absent where the figure only explains others. */
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

/** On any machine an eighth of a loop that does nothing. */
const BARE_LOOP_RATIO = 1 / 8;
/** Garbage that has not been collected yet comes and goes. */
const MEMORY_GROWTH_MAX = 1.2;

export function figuresOf({ schedules, memory, judging, shrinking }: Measured): readonly Figure[] {
  const { scheduleCount, earlyRssMb, lateRssMb } = memory;
  return [
    { name: "schedules/s, judged", value: schedules.schedulesPerS },
    { name: "events/s", value: schedules.eventsPerS },
    { name: "events of a schedule", value: schedules.eventsPerSchedule },
    { name: "times real time", value: schedules.timesRealTime, target: { atLeast: 3000 } },
    { name: "schedules/s of the bare loop", value: schedules.bareSchedulesPerS },
    { name: "to the bare loop", value: schedules.ratioToBareLoop, target: { atLeast: BARE_LOOP_RATIO } },
    { name: `MB after ${Math.ceil(scheduleCount / 10)} schedules`, value: earlyRssMb },
    {
      name: `MB after ${scheduleCount} schedules`,
      value: lateRssMb,
      target: { atMost: earlyRssMb * MEMORY_GROWTH_MAX },
    },
    { name: `s to read ${judging.holdCount} holds`, value: judging.readS },
    {
      name: `s to shrink to two faults (median of ${shrinking.counterexampleCount})`,
      value: shrinking.shrunkS,
      target: { atMost: 1 },
    },
    { name: `s to judge ${judging.holdCount} holds`, value: judging.judgedS, target: { atMost: 1 } },
  ];
}

/** `0.130 to the bare loop (at least 0.125: met)`. */
export function lineOf({ name, value, target }: Figure): string {
  const line = `${textOf(value).padStart(9)} ${name}`;
  if (target === undefined) return line;
  const [text, isMet] =
    "atLeast" in target
      ? [`at least ${textOf(target.atLeast)}`, value >= target.atLeast]
      : [`at most ${textOf(target.atMost)}`, value <= target.atMost];
  return `${line} (${text}: ${isMet ? "met" : "missed"})`;
}

function textOf(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
