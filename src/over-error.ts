import type { Ending } from "./core/belief.ts";
import { endingMessage } from "./error-message.ts";
import { RedlockError, type RedlockErrorCode } from "./errors.ts";
import type { Vote } from "./ports/vote.ts";

const CODE_OF_ENDING: Readonly<Record<Ending, RedlockErrorCode>> = {
  released: "aborted",
  lost: "lost",
  expired: "expired",
};

/** What a lock that ended so says to whoever uses it yet. */
export function codeOfEnding(ending: Ending): RedlockErrorCode {
  return CODE_OF_ENDING[ending];
}

/** The error of a lock that is over: what `extend` throws and what the signal aborts with. */
export function overError(ending: Ending, resource: string, votes: readonly Vote[] = []): RedlockError {
  return new RedlockError(codeOfEnding(ending), endingMessage(ending, resource), { resource, votes });
}
