/** The texts of the coordinator's errors, from one pure place. */
import type { Ending } from "./core/belief.ts";
import { GUARD_KEY, QUARANTINE_KEY } from "./core/guard-record.ts";
import type { Refusal } from "./ports/reply.ts";
import type { Vote } from "./ports/vote.ts";

/** What an acquire says when it fails. */
export function acquireFailureMessage(
  code: "contended" | "unavailable" | "expired" | "misuse",
  facts: {
    readonly resource: string;
    readonly votes: readonly Vote[];
    readonly attemptCount: number;
    /** What went wrong besides the nodes, where something did. */
    readonly cause?: unknown;
  },
): string {
  const attempts = facts.attemptCount <= 1 ? "" : ` after ${String(facts.attemptCount)} attempts`;
  const what = `"${facts.resource}" was not acquired${attempts}`;
  switch (code) {
    case "contended":
      if (facts.votes.length === 0) return `${what}: it is held, or waited for, in this process`;
      return `${what}: somebody else holds it (${votesText(facts.votes)})`;
    case "unavailable":
      if (facts.cause === undefined)
        return `${what}: ${whyUnavailable(facts.votes)} (${votesText(facts.votes)})`;
      // No node was asked where there are no votes.
      return facts.votes.length === 0
        ? `${what}: ${causeText(facts.cause)}`
        : `${what}: the token source gave no token (${causeText(facts.cause)})`;
    case "expired":
      return `${what}: the quorum came when its time was over (${votesText(facts.votes)})`;
    case "misuse":
      return (
        `${what}: nodes are guarded for another membership or longest lifetime (${votesText(facts.votes)}). ` +
        "Configure the same nodes and restartGuard in all clients; to change them, stop the old clients, and on every " +
        `node SET ${QUARANTINE_KEY} changed PX <the larger lifetime in milliseconds>, then DEL ${GUARD_KEY}`
      );
  }
}

/** What an acquire says that its caller has ended. */
export function abortedMessage(resource: string): string {
  return `"${resource}" was not acquired: the caller's signal aborted`;
}

function whyUnavailable(votes: readonly Vote[]): string {
  return votes.some((vote) => vote.kind === "refused" && vote.reason === "quarantined")
    ? "too few nodes may vote, because nodes that may have forgotten are quarantined"
    : "too few nodes answered";
}

function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Why a lock could not be extended, or why its signal fired. */
export function endingMessage(ending: Ending, resource: string): string {
  switch (ending) {
    case "released":
      return `the lock on "${resource}" was released`;
    case "lost":
      return `the lock on "${resource}" is lost: too few nodes hold it still`;
    case "expired":
      return `the lock on "${resource}" has passed its deadline`;
  }
}

/** `A granted, B held, C unknown: no answer yet`. */
export function votesText(votes: readonly Vote[]): string {
  return votes.map((vote) => `${vote.node} ${voteText(vote)}`).join(", ");
}

function voteText(vote: Vote): string {
  switch (vote.kind) {
    case "granted":
      return "granted";
    case "refused":
      return refusalText(vote);
    case "unknown":
      return `unknown: ${vote.cause}`;
  }
}

function refusalText(refusal: Refusal): string {
  switch (refusal.reason) {
    case "quarantined":
      return `quarantined, ${String(Math.ceil(refusal.leftMs))} ms left`;
    case "mismatched":
      return `guarded for ${refusal.found}`;
    default:
      return refusal.reason;
  }
}
