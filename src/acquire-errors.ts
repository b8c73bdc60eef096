/** What the verbs of the coordinator throw. Pure. */
import type { Failure } from "./core/acquire.ts";
import { abortedMessage, acquireFailureMessage } from "./error-message.ts";
import { RedlockError } from "./errors.ts";
import type { Target } from "./ports/command.ts";
import { targetText } from "./target.ts";

/** An acquire was not granted. */
export function acquireError(
  target: Target,
  failure: Failure & { readonly attemptCount: number },
): RedlockError {
  const { code, round, attemptCount, cause } = failure;
  const facts = { resource: targetText(target), votes: round.votes, attemptCount };
  return new RedlockError(code, acquireFailureMessage(code, { ...facts, cause }), { ...facts, cause });
}

/** The caller's signal ended an acquire. */
export function abortedError(target: Target, cause: unknown): RedlockError {
  const resource = targetText(target);
  return new RedlockError("aborted", abortedMessage(resource), { resource, cause });
}

/** The coordinator was closed before, or meanwhile. */
export function closedError(): RedlockError {
  return new RedlockError("aborted", "the coordinator was closed");
}
