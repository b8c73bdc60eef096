/**
 * Extending a lock (design rules 6 and 7): an extension only raises, needs a fresh quorum that is decided
 * before the old deadline, and is never undone. Silence is no loss: it is asked again until the deadline.
 * After a confirmed quorum the nodes that answered `missing` are re-seeded, uncounted.
 */
import type { ExtendCommand } from "../ports/command.ts";
import type { Procedure } from "../ports/effect.ts";
import { backoffMs } from "./backoff.ts";
import type { Belief, Ending } from "./belief.ts";
import { detach, drawFraction, now, sleepUntil } from "./effects.ts";
import { askAll, awaitDecision } from "./fan-out.ts";
import { mayNeedReseed, reseed } from "./reseed.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";
import { deadlineOf } from "./validity.ts";

export type ExtendOutcome =
  | { readonly kind: "extended"; readonly round: Round }
  /** The belief was over before a quorum was decided; nothing was raised. `round`: the last that was asked. */
  | { readonly kind: "over"; readonly ending: Ending; readonly round: Round | undefined };

const ROUNDS_MAX = 100_000;

/** Rounds until one is decided or the belief is over. */
export function* extend(belief: Belief, ttlMs: number, rules: Rules): Procedure<ExtendOutcome> {
  let asked: Round | undefined;
  const hasOneTtl = belief.noteTtl(ttlMs);
  for (let roundCount = 1; roundCount <= ROUNDS_MAX; roundCount++) {
    const round = new Round(rules.nodeNames, yield* now());
    if (belief.isOver(round.startedAtMs)) break;
    asked = round;
    const decision = yield* ask(round, { belief, ttlMs, hasOneTtl }, rules);
    const decidedAtMs = yield* now();
    if (belief.isOver(decidedAtMs)) break;
    if (decision === "won") {
      const { driftFactor } = rules;
      belief.raise(deadlineOf({ startedAtMs: round.startedAtMs, ttlMs, driftFactor }), decidedAtMs);
      if (mayNeedReseed(round)) yield* detach(reseed(round, belief, rules));
      return { kind: "extended", round };
    }
    if (decision === "lost") {
      belief.end("lost");
      break;
    }
    const pauseMs = backoffMs(rules.backoff, roundCount, yield* drawFraction());
    yield* sleepUntil(Math.min(decidedAtMs + pauseMs, belief.deadlineMs));
  }
  return { kind: "over", ending: belief.ending ?? "expired", round: asked };
}

/**
 * `lost`: a quorum can no longer hold the value; a node that may have forgotten counts as one that has (design rule
 * 6). `short`: all have answered and it is not enough, which
 * proves nothing. A round that cannot win any more still hears the silent nodes out, or a loss could hide
 * behind one slow answer until the deadline.
 */
function* ask(
  round: Round,
  {
    belief,
    ttlMs,
    hasOneTtl,
  }: { readonly belief: Belief; readonly ttlMs: number; readonly hasOneTtl: boolean },
  rules: Rules,
): Procedure<"won" | "lost" | "short" | "undecided"> {
  const untilMs = Math.min(round.startedAtMs + rules.nodeTimeoutMs, belief.deadlineMs);
  const { resource, others, value } = belief;
  const command: ExtendCommand = {
    kind: "extend",
    resource,
    others,
    value,
    ttlMs,
    hasOneTtl,
    guard: rules.guard,
  };
  yield* askAll(round, { command, untilMs });
  return yield* awaitDecision(round, untilMs, () => {
    if (round.grantedCount >= rules.quorum) return "won";
    if (
      round.refusedCount("missing", "foreign", "quarantined", "mismatched") >
      round.nodeCount - rules.quorum
    )
      return "lost";
    return round.silentCount === 0 ? "short" : "undecided";
  });
}
