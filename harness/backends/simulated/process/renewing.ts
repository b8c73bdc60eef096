/** The coordinator's renewal, with each extension written down and carried out by the strategy on trial. */
import type { Belief } from "../../../../src/core/belief.ts";
import type { ExtendOutcome } from "../../../../src/core/extend.ts";
import { renew, type RenewalEnd } from "../../../../src/core/renew.ts";
import type { CallId } from "../../../history/event.ts";
import type { LabProcedure } from "../../../strategies/lab-effect.ts";
import type { StrategyCalls } from "./strategy-calls.ts";

export interface RenewingOptions {
  readonly ttlMs: number;
  readonly maxHoldMs: number | undefined;
  readonly calls: StrategyCalls;
  readonly onAsked: (call: CallId) => void;
  readonly onAnswered: (call: CallId, outcome: ExtendOutcome) => void;
  /** Extensions are calls of their own: this and a count name them. */
  readonly callPrefix: string;
}

export function renewing(belief: Belief, options: RenewingOptions): LabProcedure<RenewalEnd> {
  const { ttlMs, maxHoldMs, calls, onAsked, onAnswered, callPrefix } = options;
  let count = 0;
  function* extendOnce(): LabProcedure<ExtendOutcome> {
    count += 1;
    const call = `${callPrefix}${count}`;
    onAsked(call);
    const outcome = yield* calls.extend(belief, ttlMs);
    onAnswered(call, outcome);
    return outcome;
  }
  return renew(belief, { ttlMs, maxHoldMs }, extendOnce);
}
