/** Failures that are reported as one sentence with an exit code; the sentence says what to do. */

/** Bad arguments, files or scenarios: exit code 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A server, a port or a folder that is not to be had: exit code 70. */
export class InfrastructureError extends Error {
  override readonly name = "InfrastructureError";
}

/** The user ended it: exit code 130. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
