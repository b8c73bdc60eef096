/**
 * A hand-over without letting go, within one process (design, "Rules of the algorithm"): the next one in line takes
 * the ended value of the one before it for nobody's, in the same step in which it acquires. It is an acquire like any
 * other: the old hold is over before the first swap leaves (scenario S64), the value and the lifetime are fresh, it
 * needs a quorum, and if it fails both values are taken back.
 *
 * It is bounded: after some hand-overs in a row the resource is let go, and other processes have their turn.
 */
import type { Procedure } from "../ports/effect.ts";
import { Bequest } from "./bequest.ts";
import { now, receive } from "./effects.ts";
import { leave } from "./leave.ts";
import { endedOf, type Held, release, type ReleaseOutcome } from "./release.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";
import type { Turn, Waiters } from "./waiters.ts";

/** So often in a row a resource is handed over within one process; unbounded, other processes starve. */
const HAND_OVERS_MAX = 8;

/** Gives a lock back: to the next one in line where that wants the same, else to everybody. */
export function* releaseInTurn(
  held: Held,
  { turn, waiters }: { readonly turn: Turn; readonly waiters: Waiters },
  rules: Rules,
): Procedure<ReleaseOutcome> {
  const heir = waiters.heirOf(turn);
  const isSpent = turn.handOverCount >= HAND_OVERS_MAX;
  if (heir !== undefined && isSpent) heir.stepsBack = true;
  if (heir === undefined || isSpent) return yield* release(held, rules, () => leave(turn, waiters));
  const nowMs = yield* now();
  if (held.belief.isOver(nowMs)) return yield* release(held, rules, () => leave(turn, waiters));
  held.belief.end("released");
  const bequest = new Bequest(endedOf(held));
  heir.bequest = bequest;
  heir.handOverCount = turn.handOverCount + 1;
  yield* leave(turn, waiters);
  yield* receive(bequest, nowMs + rules.nodeTimeoutMs);
  return outcomeOf(bequest.round ?? new Round(rules.nodeNames, nowMs), rules);
}

/** A node that has swapped the value, or has another, holds it no longer. */
function outcomeOf(round: Round, { quorum }: Rules): ReleaseOutcome {
  const confirmedCount = round.grantedCount + round.refusedCount("held");
  return { kind: confirmedCount >= quorum ? "released" : "unconfirmed", round };
}
