/** Mutants of the rules about time (design rule 1). */
import type { AcquireOutcome } from "../../../src/core/acquire.ts";
import { Belief } from "../../../src/core/belief.ts";
import type { Rules } from "../../../src/core/rules.ts";
import type { Procedure, Resumption } from "../../../src/ports/effect.ts";
import { bend, type LabProcedure, perform } from "../lab-effect.ts";
import type { Strategy } from "../strategy.ts";

/** The times that an attempt reads: before the first send, and after the votes. */
interface Readings {
  startedAtMs: number;
  checkedAtMs: number;
}

/**
 * An attempt that never looks again at the clock after the votes: its own start is all it knows. It waits for them as
 * long as for any node, also beyond the end of the lifetime.
 */
function* withoutCheck(
  procedure: Procedure<AcquireOutcome>,
  readings: Readings,
  { nodeTimeoutMs }: Pick<Rules, "nodeTimeoutMs">,
): LabProcedure<AcquireOutcome> {
  let place: "before" | "starting" | "voting" = "before";
  return yield* bend(procedure, (effect) => {
    if (effect.kind === "draw-value") place = "starting";
    if (effect.kind === "send") place = "voting";
    if (effect.kind === "receive") {
      return perform({ ...effect, untilMs: readings.startedAtMs + nodeTimeoutMs });
    }
    if (effect.kind !== "now" || place === "before") return undefined;
    const isStart = place === "starting";
    if (!isStart) place = "before";
    return (function* (): LabProcedure<Resumption> {
      const time = yield effect;
      if (time.kind !== "time") return time;
      if (isStart) readings.startedAtMs = time.nowMs;
      readings.checkedAtMs = time.nowMs;
      return { kind: "time", nowMs: readings.startedAtMs };
    })();
  });
}

const NO_VALIDITY_CHECK: Strategy = {
  name: "mutant:no-validity-check",
  summary: "What has elapsed is not read again after the votes.",
  acquire: ({ shipped, rules }) => withoutCheck(shipped(rules), { startedAtMs: 0, checkedAtMs: 0 }, rules),
};

const START_AFTER_QUORUM: Strategy = {
  name: "mutant:start-after-quorum",
  summary: "Validity counts from the votes instead of from before the first send.",
  acquire: function* ({ shipped, rules }) {
    const readings: Readings = { startedAtMs: 0, checkedAtMs: 0 };
    const outcome = yield* withoutCheck(shipped(rules), readings, rules);
    if (outcome.kind === "failed") return outcome;
    const { resource, value, deadlineMs } = outcome.belief;
    const lateMs = readings.checkedAtMs - readings.startedAtMs;
    return { ...outcome, belief: new Belief({ resource, value, deadlineMs: deadlineMs + lateMs }) };
  },
};

const WALL_CLOCK: Strategy = {
  name: "mutant:wall-clock",
  summary: "Times are read on the wall clock, which can be stepped.",
  clock: "wall",
};

const DRIFT_ZERO: Strategy = {
  name: "mutant:drift-zero",
  summary: "Nothing of the lifetime is given up for clocks that run apart.",
  rules: (rules) => ({ ...rules, driftFactor: 0 }),
};

export const VALIDITY_MUTANTS: readonly Strategy[] = [
  NO_VALIDITY_CHECK,
  START_AFTER_QUORUM,
  WALL_CLOCK,
  DRIFT_ZERO,
];
