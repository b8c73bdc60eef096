/** The two halves of every round: ask all nodes at once, then wait until the round is decided. */
import type { GuardCommand, LockCommand } from "../ports/command.ts";
import type { Procedure } from "../ports/effect.ts";
import { receive, send } from "./effects.ts";
import type { Round } from "./round.ts";

/** Sends one command to every node; nobody is waited for. */
export function* askAll(
  round: Round,
  { command, untilMs }: { readonly command: LockCommand | GuardCommand; readonly untilMs: number },
): Procedure<void> {
  for (let nodeIndex = 0; nodeIndex < round.nodeCount; nodeIndex++) {
    yield* send(round, nodeIndex, { command, untilMs });
  }
}

/**
 * Waits until `decide` says something other than `undecided`, or until the time has come. Nobody waits for
 * stragglers (design rule 3). Each wait takes in at least one reply, so the loop is bounded by the nodes.
 */
export function* awaitDecision<Decision extends string>(
  round: Round,
  untilMs: number,
  decide: (round: Round) => Decision | "undecided",
): Procedure<Decision | "undecided"> {
  let decision = decide(round);
  while (decision === "undecided" && (yield* receive(round, untilMs)) === "reply") {
    decision = decide(round);
  }
  return decision;
}
