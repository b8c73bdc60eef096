/**
 * Walks a bound completely, depth first: each schedule is played, what happened in it says which choices there are
 * next, and each of them is added in turn. Nothing is met twice: faults are added behind those before them, and
 * messages that are late or lost in the order in which they are sent.
 */
import { playSimulatedRun } from "../../backends/simulated/simulated-run.ts";
import type { Fault } from "../../faults/fault.ts";
import type { HistoryEvent } from "../../history/event.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import { type JudgedSchedule, judgeHistory } from "../judge-schedule.ts";
import type { Bound } from "./bound.ts";
import { boundariesOf, isDistinctFor } from "./boundaries.ts";
import { faultMenu } from "./fault-menu.ts";
import { type Choice, planOf } from "./small-world.ts";

export interface Visit {
  readonly plan: RunPlan;
  readonly judged: JudgedSchedule;
}

const AT_START = { kind: "at", atMs: 0 } as const;
const FATES = ["late", "lost"] as const;
const NOTHING: Pick<Choice, "faults" | "unprompt"> = { faults: [], unprompt: [] };

/** When the second worker may start: with the first one, or at any boundary of what that does alone. */
export function startsOf(bound: Bound): readonly Choice["start"][] {
  const both = planOf({ start: AT_START, ...NOTHING }, bound);
  const alone = { ...both, workers: both.workers.slice(0, 1) };
  return [AT_START, ...boundariesOf(playSimulatedRun(alone).events).map(({ when }) => when)];
}

/** All schedules in which the second worker starts then. */
export function* walkFrom(start: Choice["start"], bound: Bound): Generator<Visit, void, void> {
  const walk = new Walk(bound);
  yield* walk.addFaults({ start, ...NOTHING }, -1);
}

class Walk {
  readonly #bound: Bound;
  readonly #menu: readonly Fault[];

  constructor(bound: Bound) {
    this.#bound = bound;
    this.#menu = faultMenu(bound);
  }

  /** @param fromSeq the event after which the last fault came: further ones come behind it. */
  *addFaults(choice: Choice, fromSeq: number): Generator<Visit, void, void> {
    const { faultsMax } = this.#bound;
    const played = yield* this.#addMessages(choice, 0);
    if (choice.faults.length >= faultsMax) return;
    const id = `f${choice.faults.length + 1}`;
    for (const boundary of boundariesOf(played, fromSeq)) {
      const { when, after } = boundary;
      for (const fault of this.#menu.filter((each) => isDistinctFor(each, boundary))) {
        yield* this.addFaults({ ...choice, faults: [...choice.faults, { id, when, fault }] }, after.seq);
      }
    }
  }

  /** @returns the events of the choice itself. */
  *#addMessages(choice: Choice, fromMessage: number): Generator<Visit, readonly HistoryEvent[], void> {
    const plan = planOf(choice, this.#bound);
    const play = playSimulatedRun(plan);
    yield { plan, judged: judgeHistory(play, plan) };
    if (choice.unprompt.length < this.#bound.unpromptMax) {
      for (let message = fromMessage; message < play.messageCount; message += 1) {
        for (const fate of FATES) {
          const unprompt = [...choice.unprompt, { message, fate }];
          yield* this.#addMessages({ ...choice, unprompt }, message + 1);
        }
      }
    }
    return play.events;
  }
}
