import type { Ending } from "./core/belief.ts";
import { endingMessage } from "./error-message.ts";
import { RedlockError, type RedlockErrorCode } from "./errors.ts";
import type { Vote } from "./ports/vote.ts";

const CODE_OF_ENDING: Readonly<Record<Ending, RedlockErrorCode>> = {
  released: "aborted",
  lost: "lost",
  expired: "expired",
};

/** The error of a lock that is over: what `extend` throws and what the signal aborts with. */
export function overError(ending: Ending, resource: string, votes: readonly Vote[] = []): RedlockError {
  return new RedlockError(CODE_OF_ENDING[ending], endingMessage(ending, resource), { resource, votes });
}
