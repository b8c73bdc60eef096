/**
 * What the coordinator asks of one node. A command is data: `src/redis` turns it into Redis commands,
 * the simulated node of the laboratory answers it directly.
 */

/** `SET resource value PX ttlMs NX`: take the resource if nobody has it. */
export interface AcquireCommand {
  readonly kind: "acquire";
  readonly resource: string;
  readonly value: string;
  /** Whole milliseconds, at least 1. */
  readonly ttlMs: number;
}

/** Compare, then raise the expiry to `ttlMs` from now; never shortens (design rule 7). */
export interface ExtendCommand {
  readonly kind: "extend";
  readonly resource: string;
  readonly value: string;
  /** Whole milliseconds, at least 1. */
  readonly ttlMs: number;
}

/** Compare-and-delete of an ended value, independent of the script cache (design rule 4). */
export interface DeleteCommand {
  readonly kind: "delete";
  readonly resource: string;
  readonly value: string;
}

export type LockCommand = AcquireCommand | ExtendCommand | DeleteCommand;
