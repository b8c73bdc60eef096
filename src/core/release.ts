/**
 * Releasing a lock (design rules 4 and 9): the belief ends before the first delete leaves, the delete goes to
 * every node, and every way to end is an outcome.
 */
import type { Procedure } from "../ports/effect.ts";
import type { Belief } from "./belief.ts";
import { type EndedValue, followDeletes, sendDeletes } from "./delete-everywhere.ts";
import { detach, now } from "./effects.ts";
import { awaitDecision } from "./fan-out.ts";
import { tally } from "./quorum.ts";
import type { Round } from "./round.ts";
import type { Rules } from "./rules.ts";

/** How a release ended. */
export interface ReleaseOutcome {
  /**
   * - `released`: a quorum confirmed that it no longer holds the value.
   * - `expired`: the belief had been over before, or no node held the value any more.
   * - `unconfirmed`: too few nodes answered in time; the deletes go on, and the TTL is the net beneath.
   */
  readonly kind: "released" | "expired" | "unconfirmed";
  readonly round: Round;
}

/** What a holder gives back: its belief, the round that began it, and the longest TTL it ever asked for. */
export interface Held {
  readonly belief: Belief;
  readonly acquired: Round;
  readonly longestTtlMs: number;
}

/**
 * Ends the belief, deletes the value, and waits for a quorum of confirmations.
 *
 * @param afterDeletes performed when the deletes have been sent: what is sent to the same nodes from then on, they
 *   run after them.
 */
export function* release(
  held: Held,
  rules: Rules,
  afterDeletes?: () => Procedure<void>,
): Procedure<ReleaseOutcome> {
  const { belief } = held;
  const wasOver = belief.isOver(yield* now());
  belief.end(wasOver ? "expired" : "released");
  const deletes = yield* sendDeletes(endedOf(held), rules);
  if (afterDeletes !== undefined) yield* afterDeletes();
  const { round } = deletes;
  const decision = yield* awaitDecision(round, round.startedAtMs + rules.nodeTimeoutMs, ({ silentCount }) =>
    tally({ yes: confirmedCount(round), silent: silentCount, quorum: rules.quorum }),
  );
  const outcome = { kind: outcomeOf(wasOver, decision === "won", round), round };
  yield* detach(followDeletes(deletes, rules));
  return outcome;
}

/** What is left when the belief is over: a value to be deleted. */
export function endedOf({ belief, acquired, longestTtlMs }: Held): EndedValue {
  const { resource, others, value, reseeds } = belief;
  return { resource, others, value, reseeds, ttlMs: longestTtlMs, acquired };
}

function confirmedCount(round: Round): number {
  return round.grantedCount + round.refusedCount("missing", "foreign");
}

function outcomeOf(wasOver: boolean, confirmed: boolean, round: Round): ReleaseOutcome["kind"] {
  if (wasOver) return "expired";
  if (!confirmed) return "unconfirmed";
  return round.grantedCount === 0 ? "expired" : "released";
}
