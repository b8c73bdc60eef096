/** Turns what happens to a lock into events. Called only while somebody listens. */
import type { AcquireOutcome } from "./core/acquire.ts";
import type { Belief } from "./core/belief.ts";
import type { ExtendOutcome } from "./core/extend.ts";
import type { ReleaseOutcome } from "./core/release.ts";
import { RedlockError, type RedlockErrorCode } from "./errors.ts";
import type { Observers } from "./events.ts";
import { targetText } from "./target.ts";
import { codeOfEnding } from "./over-error.ts";
import type { Procedure } from "./ports/effect.ts";
import type { Vote } from "./ports/vote.ts";
import type { MonotonicClock } from "./ports/world.ts";

/** Those who are told, and by which clock. */
export interface Audience {
  readonly observers: Observers;
  readonly clock: MonotonicClock;
}

/**
 * Tells that an acquire starts.
 *
 * @returns a function that takes the acquire's promise and tells how it ends, before whoever awaits it knows.
 */
export function observeAcquire(
  { observers, clock }: Audience,
  { resource, ttlMs }: { readonly resource: string; readonly ttlMs: number },
): (acquiring: Promise<AcquireOutcome>) => void {
  const startedAtMs = clock.nowMs();
  observers.tell({ kind: "acquire-started", resource, ttlMs });
  const onOutcome = (outcome: AcquireOutcome): void => {
    const nowMs = clock.nowMs();
    const { attemptCount, round } = outcome;
    const facts = { resource, waitedMs: nowMs - startedAtMs, attemptCount, votes: round.votes };
    observers.tellQuarantines(facts.votes, nowMs);
    if (outcome.kind === "failed") {
      observers.tell({ kind: "acquire-failed", code: outcome.code, ...facts });
    } else {
      const { belief } = outcome;
      const validityMs = belief.remainingMs(nowMs);
      observers.tell({ kind: "acquired", value: belief.value, validityMs, ...facts });
    }
  };
  const onError = (error: unknown): void => {
    const waitedMs = clock.nowMs() - startedAtMs;
    const facts = { resource, code: codeOf(error), waitedMs, attemptCount: undefined, votes: [] };
    observers.tell({ kind: "acquire-failed", ...facts });
  };
  return (acquiring) => {
    acquiring.then(onOutcome, onError);
  };
}

/** What `observeHold` looks at. */
export interface Hold {
  readonly belief: Belief;
  readonly signal: AbortSignal;
  readonly quorum: number;
  /** The votes of the round that decided last. */
  readonly votes: () => readonly Vote[];
}

/** Tells when a lock is over, by its own signal: at its deadline also where nobody releases it. */
export function observeHold({ observers, clock }: Audience, { belief, signal, quorum, votes }: Hold): void {
  const { value } = belief;
  const resource = targetText(belief);
  const startedAtMs = clock.nowMs();
  const onOver = (): void => {
    const nowMs = clock.nowMs();
    observers.tell({
      kind: "ended",
      resource,
      value,
      ending: belief.ending ?? "expired",
      heldMs: nowMs - startedAtMs,
      validityLeftMs: Math.max(0, belief.deadlineMs - nowMs),
      quorumMargin: votes().filter(({ kind }) => kind === "granted").length - quorum,
    });
  };
  signal.addEventListener("abort", onOver, { once: true });
}

/** The extension, told of when it has ended, also where it was interrupted. */
export function* observeExtension(
  { observers, clock }: Audience,
  belief: Belief,
  extending: Procedure<ExtendOutcome>,
): Procedure<ExtendOutcome> {
  const { value } = belief;
  const resource = targetText(belief);
  try {
    const outcome = yield* extending;
    const facts = { resource, value, votes: outcome.round?.votes ?? [] };
    observers.tellQuarantines(facts.votes, clock.nowMs());
    if (outcome.kind === "over") {
      observers.tell({ kind: "extend-failed", code: codeOfEnding(outcome.ending), ...facts });
    } else {
      observers.tell({ kind: "extended", validityMs: belief.remainingMs(clock.nowMs()), ...facts });
    }
    return outcome;
  } catch (error) {
    observers.tell({ kind: "extend-failed", code: codeOf(error), resource, value, votes: [] });
    throw error;
  }
}

/** Tells how the deletes of a release end. */
export function observeRelease(
  { observers, clock }: Audience,
  belief: Belief,
  releasing: Promise<ReleaseOutcome>,
): void {
  const { value } = belief;
  const resource = targetText(belief);
  const startedAtMs = clock.nowMs();
  const onOutcome = ({ kind: outcome, round }: ReleaseOutcome): void => {
    const tookMs = clock.nowMs() - startedAtMs;
    observers.tell({ kind: "released", resource, value, outcome, tookMs, votes: round.votes });
  };
  releasing.then(onOutcome, ignore);
}

function codeOf(error: unknown): RedlockErrorCode {
  return error instanceof RedlockError ? error.code : "aborted";
}

function ignore(): void {
  // Whoever released sees the fault.
}
