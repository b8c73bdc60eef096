/** A body under a lock: it runs only while the lock is held, and the lock is given back however it ends. */
import type { Lock } from "./lock.ts";
import { overError } from "./over-error.ts";
import { RedlockError } from "./errors.ts";

/** What runs under a lock. `signal` aborts when the lock is over, at its deadline at the latest. */
export type LockBody<Result> = (signal: AbortSignal, lock: Lock) => Result | PromiseLike<Result>;

/** How a body runs. */
export interface BodyOptions {
  /** Whether the loss of the lock makes a body fail that came to its end. */
  readonly failIfLost: boolean;
}

/**
 * Runs the body and releases the lock, whatever comes of it.
 *
 * @returns what the body gives.
 * @throws what `runUnderLock` throws.
 */
export async function useLock<Result>(
  lock: Lock,
  body: LockBody<Result>,
  options: BodyOptions,
): Promise<Result> {
  try {
    return await runUnderLock(lock, body, options);
  } finally {
    await lock.release();
  }
}

/**
 * Runs the body; the lock stays as it is.
 *
 * @returns what the body gives.
 * @throws what the body throws; where the lock was over by then, its end is the error's `cause`, unless it has one.
 * @throws RedlockError `lost` or `expired` when the lock was over before the body began (it is then not run), or,
 *   where `failIfLost` asks for it, before the body came to its end.
 */
export async function runUnderLock<Result>(
  lock: Lock,
  body: LockBody<Result>,
  { failIfLost }: BodyOptions,
): Promise<Result> {
  try {
    const { signal } = lock;
    const overAlready = lossOf(lock);
    if (overAlready !== undefined) throw overAlready;
    const result = await body(signal, lock);
    const loss = failIfLost ? lossOf(lock) : undefined;
    if (loss !== undefined) throw loss;
    return result;
  } catch (error) {
    attachLoss(error, lossOf(lock));
    throw error;
  }
}

/** Why the lock is over although nobody has released it; `undefined` while it is held. */
function lossOf(lock: Lock): RedlockError | undefined {
  const { ending } = lock;
  if (ending === undefined || ending === "released") return undefined;
  return overError(ending, lock.resource, lock.votes);
}

/** The body's own error stays the one that is thrown. */
function attachLoss(error: unknown, loss: RedlockError | undefined): void {
  if (loss === undefined || !(error instanceof Error)) return;
  // The body threw the very reason with which its signal aborted.
  if (error instanceof RedlockError && error.code === loss.code) return;
  if (error.cause === undefined && Object.isExtensible(error)) error.cause = loss;
}
