/** A strategy's calls, made ready for a worker: its procedures, or the shipped ones where it bends nothing. */
import type { AcquireOutcome, AcquireRequest } from "../../../../src/core/acquire.ts";
import { acquireInTurn } from "../../../../src/core/acquire-in-turn.ts";
import type { Belief } from "../../../../src/core/belief.ts";
import { extend, type ExtendOutcome } from "../../../../src/core/extend.ts";
import { releaseInTurn } from "../../../../src/core/hand-over.ts";
import { type Held, release, type ReleaseOutcome } from "../../../../src/core/release.ts";
import type { Rules } from "../../../../src/core/rules.ts";
import { type Turn, Waiters } from "../../../../src/core/waiters.ts";
import type { Procedure } from "../../../../src/ports/effect.ts";
import type { LabProcedure } from "../../../strategies/lab-effect.ts";
import type { Call, Strategy, StrategyMemory } from "../../../strategies/strategy.ts";

export interface StrategyCalls {
  readonly rules: Rules;
  readonly acquire: (request: AcquireRequest) => LabProcedure<AcquireOutcome>;
  readonly extend: (belief: Belief, ttlMs: number) => LabProcedure<ExtendOutcome>;
  readonly release: (held: Held) => LabProcedure<ReleaseOutcome>;
  readonly renewsForEver: boolean;
}

/** @param visibleCount how many nodes the worker has a connection to at the moment. */
export function callsOf(strategy: Strategy, given: Rules, visibleCount: () => number): StrategyCalls {
  const rules = strategy.rules?.(given) ?? given;
  const memory: StrategyMemory = { latestRound: undefined };
  const lines = new Lines();
  const call = <Outcome>(shipped: Call<Outcome>["shipped"]): Call<Outcome> => ({
    rules,
    shipped,
    visibleCount: visibleCount(),
    memory,
  });
  return {
    rules,
    acquire: (request) => {
      const shipped = (own: Rules) => lines.acquire(request, own);
      return strategy.acquire?.({ ...call(shipped), request }) ?? shipped(rules);
    },
    extend: (belief, ttlMs) => {
      const shipped = (own: Rules) => extend(belief, ttlMs, own);
      return strategy.extend?.({ ...call(shipped), belief, ttlMs }) ?? shipped(rules);
    },
    release: (held) => {
      const shipped = (own: Rules, as = held) => lines.release(as, own);
      return strategy.release?.({ ...call(shipped), shipped, held }) ?? shipped(rules);
    },
    renewsForEver: strategy.renewsForEver ?? false,
  };
}

/** The lines of one process, and the places in them of what it holds. */
class Lines {
  readonly #waiters = new Waiters();
  readonly #turns = new Map<string, Turn>();

  *acquire(request: AcquireRequest, rules: Rules): Procedure<AcquireOutcome> {
    const outcome = yield* acquireInTurn(request, rules, this.#waiters);
    if (outcome.kind === "granted") this.#turns.set(outcome.belief.value, outcome.turn);
    return outcome;
  }

  *release(held: Held, rules: Rules): Procedure<ReleaseOutcome> {
    const { value } = held.belief;
    const turn = this.#turns.get(value);
    this.#turns.delete(value);
    if (turn === undefined) return yield* release(held, rules);
    return yield* releaseInTurn(held, { turn, waiters: this.#waiters }, rules);
  }
}
