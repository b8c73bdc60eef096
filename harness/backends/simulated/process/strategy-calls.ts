/** A strategy's calls, made ready for a worker: its procedures, or the shipped ones where it bends nothing. */
import { acquire, type AcquireOutcome, type AcquireRequest } from "../../../../src/core/acquire.ts";
import type { Belief } from "../../../../src/core/belief.ts";
import { extend, type ExtendOutcome } from "../../../../src/core/extend.ts";
import { type Held, release, type ReleaseOutcome } from "../../../../src/core/release.ts";
import type { Rules } from "../../../../src/core/rules.ts";
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
  const call = <Outcome>(shipped: Call<Outcome>["shipped"]): Call<Outcome> => ({
    rules,
    shipped,
    visibleCount: visibleCount(),
    memory,
  });
  return {
    rules,
    acquire: (request) => {
      const shipped = (own: Rules) => acquire(request, own);
      return strategy.acquire?.({ ...call(shipped), request }) ?? shipped(rules);
    },
    extend: (belief, ttlMs) => {
      const shipped = (own: Rules) => extend(belief, ttlMs, own);
      return strategy.extend?.({ ...call(shipped), belief, ttlMs }) ?? shipped(rules);
    },
    release: (held) => {
      const shipped = (own: Rules) => release(held, own);
      return strategy.release?.({ ...call(shipped), held }) ?? shipped(rules);
    },
    renewsForEver: strategy.renewsForEver ?? false,
  };
}
