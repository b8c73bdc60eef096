/**
 * Acquiring when the caller's turn has come: one contender a process and resource on the network, the others behind
 * it in the order in which they called (design, "Rules of the algorithm": within one process waiters are served
 * first come, first served).
 */
import { resourcesOf } from "../ports/command.ts";
import type { Procedure } from "../ports/effect.ts";
import { acquire, type AcquireRequest, type Failure, type Grant } from "./acquire.ts";
import { backoffMs } from "./backoff.ts";
import { undoBequest } from "./bequest.ts";
import { drawFraction, now, receive, sleepUntil } from "./effects.ts";
import { leave, wake } from "./leave.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";
import { type Turn, type Waiters, WAITERS_MAX } from "./waiters.ts";

/** A grant, and the place that the holder keeps until it is over. */
export type GrantInTurn = Grant & { readonly attemptCount: number; readonly turn: Turn };

export type OutcomeInTurn = GrantInTurn | (Failure & { readonly attemptCount: number });

/** Times that one caller may be woken before its turn comes. */
const WAKES_MAX = 1_000_000;

/**
 * Waits for the caller's turn and acquires. The wait limit counts from the call. A caller whose limit comes before
 * its turn asks no node: it fails as the attempt of the one before it has failed, or as `contended` where that one
 * holds the lock; an attempt that is under way is heard out first, which takes one node timeout at most.
 */
export function* acquireInTurn(
  request: AcquireRequest,
  rules: Rules,
  waiters: Waiters,
): Procedure<OutcomeInTurn> {
  if (waiters.wantsSweep) yield* sweep(waiters);
  const turn = waiters.enter(resourcesOf(request));
  if (turn === undefined) return { attemptCount: 0, ...(yield* crowdedHere()) };
  try {
    const { waitMs } = request;
    const come =
      waiters.blockerOf(turn) === undefined ? { waitMs } : yield* awaitTurn(turn, waitMs, { rules, waiters });
    if ("kind" in come) {
      yield* leave(turn, waiters);
      return { attemptCount: 0, ...come };
    }
    const afterFailure = (failure: Failure) => tellFailure(turn, failure, waiters);
    if (turn.stepsBack) yield* stepBack(rules);
    const { bequest } = turn;
    const outcome = yield* acquire({ ...request, ...come, bequest, afterFailure }, rules);
    if (outcome.kind === "failed") {
      yield* leave(turn, waiters);
      return outcome;
    }
    turn.belief = outcome.belief;
    for (const other of [...waiters.after(turn), ...waiters.lateBehind(turn)]) yield* wake(other);
    return { turn, ...outcome };
  } catch (interruption) {
    // Left to it, and not taken up yet.
    if (turn.bequest?.round === undefined) yield* undoBequest(turn.bequest, rules);
    yield* leave(turn, waiters);
    throw interruption;
  }
}

/** Whoever lets a lock run out instead of giving it back would keep its place for ever, if nobody else came for it. */
function* sweep(waiters: Waiters): Procedure<void> {
  for (const next of waiters.sweep(yield* now())) yield* wake(next);
}

/** A pause as after a first lost attempt: by then whoever else has waited may have had its turn. */
function* stepBack({ backoff }: Rules): Procedure<void> {
  const pauseMs = backoffMs(backoff, 1, yield* drawFraction());
  yield* sleepUntil((yield* now()) + pauseMs);
}

/** How much of the wait limit is left when the turn comes, or how it ended before. */
function* awaitTurn(
  turn: Turn,
  waitMs: number,
  { rules, waiters }: { readonly rules: Rules; readonly waiters: Waiters },
): Procedure<{ readonly waitMs: number } | Failure> {
  const giveUpAtMs = (yield* now()) + waitMs;
  const hearUntilMs = giveUpAtMs + rules.nodeTimeoutMs;
  for (let wakeCount = 0; wakeCount < WAKES_MAX; wakeCount++) {
    if (turn.heard !== undefined) return turn.heard;
    const nowMs = yield* now();
    const blocker = waiters.blockerOf(turn);
    if (blocker === undefined) return { waitMs: Math.max(0, giveUpAtMs - nowMs) };
    if (blocker.belief?.isOver(nowMs) === true) {
      // Nobody has given it back, and nobody has to.
      yield* leave(blocker, waiters);
      continue;
    }
    const isLate = nowMs >= giveUpAtMs;
    if (isLate && (blocker.belief !== undefined || nowMs >= hearUntilMs)) break;
    if (isLate && blocker.latestFailure !== undefined) return blocker.latestFailure;
    if (isLate) waiters.makeLate(turn);
    const limitMs = isLate ? hearUntilMs : giveUpAtMs;
    yield* receive(turn, Math.min(limitMs, blocker.belief?.deadlineMs ?? limitMs));
  }
  return yield* contendedHere();
}

/** No node was asked: the resource is held, or waited for, in this process. */
function* contendedHere(): Procedure<Failure> {
  return { kind: "failed", code: "contended", round: new Round([], yield* now()) };
}

/** No node was asked: nobody else may wait in this process. */
function* crowdedHere(): Procedure<Failure> {
  const cause = `${WAITERS_MAX.toString()} callers of this process wait for locks or hold them already`;
  return { kind: "failed", code: "unavailable", round: new Round([], yield* now()), cause };
}

/** Those whose time is over fail with it; whoever can wait goes on waiting. */
function* tellFailure(turn: Turn, failure: Failure, waiters: Waiters): Procedure<void> {
  turn.latestFailure = failure;
  for (const other of waiters.lateBehind(turn)) {
    other.heard ??= failure;
    yield* wake(other);
  }
}
