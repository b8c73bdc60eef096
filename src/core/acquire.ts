/**
 * Acquiring a lock: the five steps of the published algorithm. Source: "Distributed Locks with Redis", The
 * Redlock algorithm.
 *
 * Not here yet: the amnesia guard (design rule 8) decides which nodes are eligible when a round starts.
 */
import type { AcquireCommand } from "../ports/command.ts";
import type { Procedure } from "../ports/effect.ts";
import type { TokenSource } from "../ports/token-source.ts";
import { backoffMs } from "./backoff.ts";
import { Belief } from "./belief.ts";
import { undo } from "./delete-everywhere.ts";
import { detach, drawFraction, drawToken, drawValue, now, sleepUntil, type TokenDraw } from "./effects.ts";
import { askAll, awaitDecision } from "./fan-out.ts";
import { tally } from "./quorum.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";
import { deadlineOf } from "./validity.ts";

/** What is to be acquired, and how patiently. */
export interface AcquireRequest {
  readonly resource: string;
  readonly ttlMs: number;
  /** How long further attempts may start after the first; 0 is one attempt. */
  readonly waitMs: number;
  readonly tokenSource?: TokenSource | undefined;
  /** Performed after each lost attempt, before the next one or the end. */
  readonly afterFailure?: (failure: Failure) => Procedure<void>;
}

/** A quorum in time: the holder may believe. */
export interface Grant {
  readonly kind: "granted";
  readonly belief: Belief;
  readonly round: Round;
  readonly fencingToken?: bigint;
}

/** A lost attempt; its undo is on its way. */
export interface Failure {
  readonly kind: "failed";
  readonly code: "contended" | "unavailable" | "expired";
  readonly round: Round;
  /** What the token source threw, where it was at fault. */
  readonly cause?: unknown;
}

export type AcquireOutcome = (Grant | Failure) & { readonly attemptCount: number };

/** Reached only where a wait limit of days meets a backoff of nearly nothing. */
const ATTEMPTS_MAX = 1_000_000;

/**
 * Attempts until one is granted or the wait limit has come; the last failure is the outcome. The last attempt
 * starts right at the limit, however long the backoff would have been.
 */
export function* acquire(request: AcquireRequest, rules: Rules): Procedure<AcquireOutcome> {
  const giveUpAtMs = (yield* now()) + request.waitMs;
  for (let attemptCount = 1; ; attemptCount++) {
    const outcome = yield* attempt(request, rules);
    if (outcome.kind === "granted") return { attemptCount, ...outcome };
    if (request.afterFailure !== undefined) yield* request.afterFailure(outcome);
    const failedAtMs = yield* now();
    if (failedAtMs >= giveUpAtMs || attemptCount >= ATTEMPTS_MAX) return { attemptCount, ...outcome };
    const pauseMs = backoffMs(rules.backoff, attemptCount, yield* drawFraction());
    yield* sleepUntil(Math.min(failedAtMs + pauseMs, giveUpAtMs));
  }
}

/**
 * One round under a fresh value and, where it fails, its undo; also where the driver throws an interruption
 * into it.
 */
function* attempt(request: AcquireRequest, rules: Rules): Procedure<Grant | Failure> {
  const { resource, ttlMs } = request;
  const command: AcquireCommand = { kind: "acquire", resource, value: yield* drawValue(), ttlMs };
  const round = new Round(rules.nodeNames, yield* now());
  const deadlineMs = deadlineOf({ startedAtMs: round.startedAtMs, ttlMs, driftFactor: rules.driftFactor });
  const untilMs = Math.min(round.startedAtMs + rules.nodeTimeoutMs, deadlineMs);

  const ended = { acquired: round, ...command };
  try {
    yield* askAll(round, { command, untilMs });
    const decision = yield* awaitDecision(round, untilMs, ({ grantedCount, silentCount }) =>
      tally({ yes: grantedCount, silent: silentCount, quorum: rules.quorum }),
    );
    const draw = decision === "won" ? yield* drawTokenFor(request, deadlineMs) : undefined;
    const nowMs = yield* now();
    if (draw !== undefined && draw.kind !== "failed" && nowMs < deadlineMs) {
      const belief = new Belief({ resource, value: command.value, deadlineMs });
      return {
        kind: "granted",
        belief,
        round,
        ...(draw.kind === "drawn" ? { fencingToken: draw.token } : {}),
      };
    }
    const failure = failureOf({ round, decision, draw }, rules);
    yield* detach(undo(ended, rules));
    return failure;
  } catch (interruption) {
    yield* detach(undo(ended, rules));
    throw interruption;
  }
}

/** After the quorum and before validity is checked, so that a slow source cannot hand out a dead lock. */
function* drawTokenFor(
  request: AcquireRequest,
  untilMs: number,
): Procedure<TokenDraw | { readonly kind: "none" }> {
  if (request.tokenSource === undefined) return { kind: "none" };
  return yield* drawToken(request.tokenSource, request.resource, untilMs);
}

/** Contention, outage and lateness are different failures (design rule 10). */
function failureOf(
  attempted: {
    readonly round: Round;
    readonly decision: "won" | "lost" | "undecided";
    readonly draw: TokenDraw | { readonly kind: "none" } | undefined;
  },
  rules: Rules,
): Failure {
  const { round, decision, draw } = attempted;
  if (draw?.kind === "failed") return { kind: "failed", code: "unavailable", round, cause: draw.cause };
  if (decision === "won") return { kind: "failed", code: "expired", round };
  const unreachable = round.unknownCount + (decision === "undecided" ? round.silentCount : 0);
  const quorumAnswered = unreachable <= round.nodeCount - rules.quorum;
  return { kind: "failed", code: quorumAnswered ? "contended" : "unavailable", round };
}
