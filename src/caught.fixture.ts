import type { RedlockError } from "./errors.ts";

/** What a call fails with; one that does not fail fails the test. */
export function caught(promise: Promise<unknown>): Promise<RedlockError> {
  return promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error as RedlockError,
  );
}
