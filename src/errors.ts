/** The one error the coordinator throws, with a closed set of codes. */
import type { Vote } from "./ports/vote.ts";

/**
 * - `contended`: somebody else holds the resource on enough nodes.
 * - `unavailable`: too few nodes, or the token source, answered.
 * - `expired`: the time was over: the quorum came too late for its own TTL, or the lock has passed its deadline.
 * - `lost`: so many nodes no longer hold the lock that no quorum can.
 * - `aborted`: the caller ended it (a released lock was used, the coordinator was closed).
 * - `misuse`: an argument that cannot work.
 */
export type RedlockErrorCode = "contended" | "unavailable" | "expired" | "lost" | "aborted" | "misuse";

/** What an error carries besides its code. */
export interface RedlockErrorDetails {
  /** What each node had answered when the error was made; empty where nobody was asked. */
  readonly votes?: readonly Vote[];
  readonly resource?: string;
  readonly cause?: unknown;
}

/** The one error that the coordinator throws. */
export class RedlockError extends Error {
  override readonly name = "RedlockError";
  readonly code: RedlockErrorCode;
  readonly votes: readonly Vote[];
  readonly resource: string | undefined;

  constructor(code: RedlockErrorCode, message: string, details: RedlockErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.votes = details.votes ?? [];
    this.resource = details.resource;
  }
}
