/** The one error the coordinator throws, with a closed set of codes. */
import type { Vote } from "./ports/vote.ts";

/**
 * - `contended`: somebody else holds the resource on enough nodes.
 * - `unavailable`: too few nodes answered, the token source gave no token, or 100,000 callers of this process stand in line.
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
  /** What was, or was to be, locked. */
  readonly resource?: string;
  /** How many attempts were made; absent where the error is none of an acquire. */
  readonly attemptCount?: number;
  readonly cause?: unknown;
}

/** An error as JSON: what a log line needs. */
export interface RedlockErrorJson {
  readonly name: string;
  readonly code: RedlockErrorCode;
  readonly message: string;
  readonly resource?: string;
  readonly attemptCount?: number;
  readonly votes: readonly Vote[];
  /** The cause in its own words. */
  readonly cause?: string;
}

/**
 * The one error that the coordinator throws. Where two copies of the package meet, and `instanceof` fails,
 * `error.name === "RedlockError"` still tells it, and `code` is the same.
 */
export class RedlockError extends Error {
  override readonly name: string = "RedlockError";
  readonly code: RedlockErrorCode;
  readonly votes: readonly Vote[];
  readonly resource: string | undefined;
  readonly attemptCount: number | undefined;

  constructor(code: RedlockErrorCode, message: string, details: RedlockErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.votes = details.votes ?? [];
    this.resource = details.resource;
    this.attemptCount = details.attemptCount;
  }

  /** What `JSON.stringify` writes; without it an `Error` has neither message nor cause there. */
  toJSON(): RedlockErrorJson {
    const { name, code, message, resource, attemptCount, votes, cause } = this;
    return {
      name,
      code,
      message,
      ...(resource === undefined ? {} : { resource }),
      ...(attemptCount === undefined ? {} : { attemptCount }),
      votes,
      ...(cause === undefined ? {} : { cause: causeText(cause) }),
    };
  }
}

function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
