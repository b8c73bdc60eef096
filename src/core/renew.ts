/**
 * Keeping a lock by extending it again and again (design rules 6 and 7): each time when a third of its lifetime is
 * over, until the belief is over or the holder has had it for as long as it may. Without that limit a holder whose
 * work hangs keeps everybody out for ever (scenario S32).
 */
import type { Effect, Resumption } from "../ports/effect.ts";
import type { Belief } from "./belief.ts";
import { now, sleepUntil } from "./effects.ts";
import type { ExtendOutcome } from "./extend.ts";

/** How a lock is to be kept. */
export interface Renewal {
  /** The lifetime that each extension asks for, in milliseconds. */
  readonly ttlMs: number;
  /** How long from now on the lock may be kept alive, in milliseconds; without it, as long as it is believed in. */
  readonly maxHoldMs?: number | undefined;
}

/** `limit`: it has been held for as long as it may, and runs out. */
export type RenewalEnd = "over" | "limit";

/** Two thirds of a lifetime are left for an extension that is held up. */
const RENEW_BEFORE_SHARE = 2 / 3;
/** A lifetime that is nearly all drift allowance would be renewed again and again without a pause. */
const RENEW_AFTER_SHARE = 1 / 6;
const RENEWALS_MAX = 1_000_000;

/**
 * @param extendOnce carries out one extension: `extend`, or what a caller puts around it. Its effects may be more
 *   than the coordinator's own.
 */
export function* renew<MoreEffects = Effect>(
  belief: Belief,
  { ttlMs, maxHoldMs = Infinity }: Renewal,
  extendOnce: () => Generator<Effect | MoreEffects, ExtendOutcome, Resumption>,
): Generator<Effect | MoreEffects, RenewalEnd, Resumption> {
  let nowMs = yield* now();
  const limitMs = nowMs + maxHoldMs;
  for (let count = 1; count <= RENEWALS_MAX; count++) {
    const renewAtMs = Math.max(
      belief.deadlineMs - ttlMs * RENEW_BEFORE_SHARE,
      nowMs + belief.remainingMs(nowMs) * RENEW_AFTER_SHARE,
    );
    if (renewAtMs >= limitMs) return "limit";
    yield* sleepUntil(renewAtMs);
    if (belief.isOver(yield* now())) return "over";
    const outcome = yield* extendOnce();
    if (outcome.kind === "over") return "over";
    nowMs = yield* now();
  }
  return "limit";
}
