import { RedlockError } from "./errors.ts";

/** An argument that cannot work, in one sentence that says what to do. */
export function misuse(message: string): RedlockError {
  return new RedlockError("misuse", message);
}
