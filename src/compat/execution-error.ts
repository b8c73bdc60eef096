/** The errors of redlock 5: what a failed `acquire` or `extend` throws. */
import { RedlockError, type RedlockErrorCode } from "../errors.ts";
import type { Vote } from "../ports/vote.ts";

/** How the nodes voted, by the clients that were given. */
export interface ExecutionStats {
  readonly membershipSize: number;
  readonly quorumSize: number;
  readonly votesFor: ReadonlySet<unknown>;
  readonly votesAgainst: ReadonlyMap<unknown, Error>;
}

/** The clients that were given, in the order of the nodes, and the votes that a quorum needs. */
export interface Membership {
  readonly clients: readonly unknown[];
  readonly quorum: number;
}

/** A lock that could not be taken or kept. `code` says why; in redlock 5 all reasons look the same. */
export class ExecutionError extends RedlockError {
  override readonly name: string = "ExecutionError";
  /** The votes of the last attempt; redlock 5 lists every attempt. */
  readonly attempts: readonly Promise<ExecutionStats>[];

  constructor(error: RedlockError, membership: Membership) {
    super(error.code, error.message, detailsOf(error));
    this.attempts = [Promise.resolve(statsOf(error.votes, membership))];
  }
}

/** Somebody else holds it. redlock 5 has this class for one node's vote, and tells it to `on("error")` alone. */
export class ResourceLockedError extends ExecutionError {
  override readonly name = "ResourceLockedError";
}

/** What redlock 5 throws in the place of an error; misuse stays what it is. */
export function executionErrorFrom(error: unknown, membership: Membership): unknown {
  if (!(error instanceof RedlockError) || error.code === "misuse") return error;
  const isContended: boolean = error.code === ("contended" satisfies RedlockErrorCode);
  return isContended ? new ResourceLockedError(error, membership) : new ExecutionError(error, membership);
}

/** The votes of one round, as redlock 5 counts them. */
export function statsOf(votes: readonly Vote[], { clients, quorum }: Membership): ExecutionStats {
  const votesFor = new Set<unknown>();
  const votesAgainst = new Map<unknown, Error>();
  for (const [index, vote] of votes.entries()) {
    const client = clients[index];
    if (vote.kind === "granted") votesFor.add(client);
    else votesAgainst.set(client, new Error(vote.kind === "refused" ? vote.reason : vote.cause));
  }
  return { membershipSize: clients.length, quorumSize: quorum, votesFor, votesAgainst };
}

function detailsOf({ votes, resource, attemptCount, cause }: RedlockError) {
  return {
    votes,
    ...(resource === undefined ? {} : { resource }),
    ...(attemptCount === undefined ? {} : { attemptCount }),
    cause,
  };
}
