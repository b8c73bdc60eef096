/** Every checker by its name: a history in, a verdict out. */
import { findMalformation } from "../history/malformation.ts";
import { checkActualOverlap } from "./actual-overlap.ts";
import type { Checker, Checkers } from "./checker.ts";
import { checkDanger } from "./danger.ts";
import { checkDeclaredOverlap } from "./declared-overlap.ts";
import { checkHygiene } from "./hygiene.ts";
import { checkProgress } from "./progress.ts";
import { checkRecovery } from "./recovery.ts";
import { checkSettling } from "./settling.ts";
import { checkStaleWrites } from "./stale-writes.ts";
import { checkTokenOrder } from "./token-order.ts";
import { checkVacuity } from "./vacuity.ts";
import { unknown } from "./verdict.ts";

export const ALL_CHECKERS: Checkers = {
  declared: guarded(checkDeclaredOverlap),
  actual: guarded(checkActualOverlap),
  danger: guarded(checkDanger),
  stale: guarded(checkStaleWrites),
  tokens: guarded(checkTokenOrder),
  hygiene: guarded(checkHygiene),
  settling: guarded(checkSettling),
  recovery: guarded(checkRecovery),
  progress: guarded(checkProgress),
  vacuity: guarded(checkVacuity),
};

/** A history with a hole and a checker with a fault give no answer; neither is a pass. */
export function guarded(check: Checker): Checker {
  return (history, demands) => {
    try {
      const malformation = findMalformation(history);
      if (malformation === undefined) return check(history, demands);
      return unknown(`the history is broken at event ${malformation.index}: ${malformation.problem}`);
    } catch (error) {
      return unknown(`the checker failed: ${String(error)}`);
    }
  };
}
