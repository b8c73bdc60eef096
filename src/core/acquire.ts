/**
 * Acquiring a lock: the five steps of the published algorithm. Source: "Distributed Locks with Redis", The
 * Redlock algorithm.
 *
 * Which nodes are eligible the nodes themselves say: one that may have forgotten refuses as quarantined, in the same
 * step in which it looks at the lock (design rule 8).
 */
import { type AcquireCommand, resourcesOf, type Target } from "../ports/command.ts";
import type { Procedure } from "../ports/effect.ts";
import type { TokenSource } from "../ports/token-source.ts";
import { backoffMs } from "./backoff.ts";
import { Belief } from "./belief.ts";
import { type Bequest, followSwap, tellGiver, undoBequest } from "./bequest.ts";
import { undo } from "./delete-everywhere.ts";
import { detach, drawFraction, drawToken, drawValue, now, sleepUntil, type TokenDraw } from "./effects.ts";
import { askAll, awaitDecision } from "./fan-out.ts";
import { tally } from "./quorum.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";
import { deadlineOf } from "./validity.ts";

/** What is to be acquired, and how patiently. */
export interface AcquireRequest extends Target {
  readonly ttlMs: number;
  /** How long further attempts may start after the first; 0 is one attempt. */
  readonly waitMs: number;
  readonly tokenSource?: TokenSource | undefined;
  /** What the holder before it has left to the first attempt (hand-over). */
  readonly bequest?: Bequest | undefined;
  /** Performed after each lost attempt, before the next one or the end. */
  readonly afterFailure?: (failure: Failure) => Procedure<void>;
}

/** A quorum in time: the holder may believe. */
export interface Grant {
  readonly kind: "granted";
  readonly belief: Belief;
  readonly round: Round;
  /** One for each resource, in their order; none where no source was named. */
  readonly fencingTokens: readonly bigint[];
}

/** A lost attempt; its undo is on its way. */
export interface Failure {
  readonly kind: "failed";
  /** `misuse`: no quorum can be had from the nodes that are guarded as this client has it. */
  readonly code: "contended" | "unavailable" | "expired" | "misuse";
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
    const bequest = attemptCount === 1 ? request.bequest : undefined;
    const outcome = yield* attempt({ ...request, bequest }, rules);
    if (outcome.kind === "granted") return { attemptCount, ...outcome };
    if (request.afterFailure !== undefined) yield* request.afterFailure(outcome);
    const failedAtMs = yield* now();
    if (failedAtMs >= giveUpAtMs || attemptCount >= ATTEMPTS_MAX || outcome.code === "misuse") {
      return { attemptCount, ...outcome };
    }
    const eligibleAtMs = Math.max(failedAtMs, quorumEligibleAtMs(outcome.round, rules));
    const pauseMs = backoffMs(rules.backoff, attemptCount, yield* drawFraction());
    yield* sleepUntil(Math.min(eligibleAtMs + pauseMs, giveUpAtMs));
  }
}

/** When so many quarantines are over that the others could be a quorum: before that no attempt can win. */
function quorumEligibleAtMs({ nodeCount, quarantineEndsMs }: Round, rules: Rules): number {
  const others = nodeCount - quarantineEndsMs.length;
  return quarantineEndsMs[rules.quorum - others - 1] ?? -Infinity;
}

/**
 * One round under a fresh value and, where it fails, its undo; also where the driver throws an interruption
 * into it.
 */
function* attempt(request: AcquireRequest, rules: Rules): Procedure<Grant | Failure> {
  const { resource, others, ttlMs, bequest } = request;
  const command: AcquireCommand = {
    kind: "acquire",
    resource,
    others,
    value: yield* drawValue(),
    ttlMs,
    replaces: bequest?.ended.value,
    guard: rules.guard,
  };
  const round = new Round(rules.nodeNames, yield* now());
  const deadlineMs = deadlineOf({ startedAtMs: round.startedAtMs, ttlMs, driftFactor: rules.driftFactor });
  const untilMs = Math.min(round.startedAtMs + rules.nodeTimeoutMs, deadlineMs);

  const ended = { resource, others, ttlMs, value: command.value, acquired: round };
  if (bequest !== undefined) bequest.round = round;
  try {
    yield* askAll(round, { command, untilMs });
    const decision = yield* awaitDecision(round, untilMs, ({ grantedCount, silentCount }) =>
      tally({ yes: grantedCount, silent: silentCount, quorum: rules.quorum }),
    );
    yield* tellGiver(bequest);
    const draw = decision === "won" ? yield* drawTokensFor(request, deadlineMs) : undefined;
    const nowMs = yield* now();
    if (draw !== undefined && draw.kind !== "failed" && nowMs < deadlineMs) {
      const belief = new Belief({ resource, others, value: command.value, deadlineMs, ttlMs });
      if (bequest !== undefined) yield* detach(followSwap(bequest, round, rules));
      return { kind: "granted", belief, round, fencingTokens: draw.tokens };
    }
    const failure = failureOf({ round, decision, draw }, rules);
    yield* detach(undo(ended, rules));
    yield* undoBequest(bequest, rules);
    return failure;
  } catch (interruption) {
    yield* detach(undo(ended, rules));
    yield* undoBequest(bequest, rules);
    throw interruption;
  }
}

type TokenDraws =
  | { readonly kind: "drawn"; readonly tokens: readonly bigint[] }
  | Exclude<TokenDraw, { readonly kind: "drawn" }>;

/**
 * After the quorum and before validity is checked, so that a slow source cannot hand out a dead lock. One token for
 * each resource.
 */
function* drawTokensFor(request: AcquireRequest, untilMs: number): Procedure<TokenDraws> {
  const tokens: bigint[] = [];
  if (request.tokenSource === undefined) return { kind: "drawn", tokens };
  for (const resource of resourcesOf(request)) {
    const draw = yield* drawToken(request.tokenSource, resource, untilMs);
    if (draw.kind === "failed") return draw;
    tokens.push(draw.token);
  }
  return { kind: "drawn", tokens };
}

/** Contention, outage and lateness are different failures (design rule 10). */
function failureOf(
  attempted: {
    readonly round: Round;
    readonly decision: "won" | "lost" | "undecided";
    readonly draw: TokenDraws | undefined;
  },
  rules: Rules,
): Failure {
  const { round, decision, draw } = attempted;
  if (draw?.kind === "failed") return { kind: "failed", code: "unavailable", round, cause: draw.cause };
  if (decision === "won") return { kind: "failed", code: "expired", round };
  const unheard = decision === "undecided" ? round.silentCount : 0;
  // A node that is silent when a round is lost might have said that the resource is held.
  const mightVote = round.voterCount + round.silentCount - unheard;
  if (mightVote >= rules.quorum) return { kind: "failed", code: "contended", round };
  const isMisuse = round.nodeCount - round.refusedCount("mismatched") < rules.quorum;
  return { kind: "failed", code: isMisuse ? "misuse" : "unavailable", round };
}
