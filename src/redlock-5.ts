/**
 * The calls of the `redlock` package, version 5, on this coordinator: an entry point of its own, so that a
 * program that moves changes its import line first and its calls later. docs/migrating.md says what differs.
 */
export { ExecutionError, type ExecutionStats, ResourceLockedError } from "./compat/execution-error.ts";
export { Lock } from "./compat/lock.ts";
export { Redlock, type RedlockAbortSignal } from "./compat/redlock.ts";
export type { Settings } from "./compat/settings.ts";
