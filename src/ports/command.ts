/**
 * What the coordinator asks of one node. A command is data: `src/redis` turns it into Redis commands,
 * the simulated node of the laboratory answers it directly.
 */

/**
 * What a node's guard has to say before an acquire or an extension touches a key (design rule 8). The identity of
 * the server's process is not among it: that belongs to the connection, which adds it.
 */
export interface GuardTerms {
  /** All nodes by their sorted names, as `membershipOf` writes them. */
  readonly membership: string;
  /** The longest lifetime that anybody may ask for, in whole milliseconds, at least 1. */
  readonly longestLifetimeMs: number;
}

/** What a lock is on: one resource, or several in one step, all or nothing. */
export interface Target {
  readonly resource: string;
  /** The further ones, sorted, each once. */
  readonly others?: readonly string[] | undefined;
}

/** All that a command is about, the first included. */
export function resourcesOf({ resource, others }: Target): readonly string[] {
  return others === undefined ? [resource] : [resource, ...others];
}

/** `SET resource value PX ttlMs NX`: take the resource if nobody has it. */
export interface AcquireCommand extends Target {
  readonly kind: "acquire";
  readonly value: string;
  /** Whole milliseconds, at least 1. */
  readonly ttlMs: number;
  /** An ended value of this process: where it is still there, it is taken for nobody's (hand-over). */
  readonly replaces?: string | undefined;
  /** Absent where the guard is off. */
  readonly guard?: GuardTerms | undefined;
}

/** Compare, then raise the expiry to `ttlMs` from now; never shortens (design rule 7). */
export interface ExtendCommand extends Target {
  readonly kind: "extend";
  readonly value: string;
  /** Whole milliseconds, at least 1. */
  readonly ttlMs: number;
  /** Absent where the guard is off. */
  readonly guard?: GuardTerms | undefined;
  /** The acquire and every extension of the value, this one too, ask for this TTL; absent: that is not known. */
  readonly hasOneTtl?: boolean;
}

/** Compare-and-delete of an ended value, independent of the script cache (design rule 4); it demands no guard. */
export interface DeleteCommand extends Target {
  readonly kind: "delete";
  readonly value: string;
}

export type LockCommand = AcquireCommand | ExtendCommand | DeleteCommand;

/** Commands that no lock is touched by, for whoever vouches that none is live (`firstUse: "trust"`). */
export type GuardCommand =
  /** Granted where the node has no guard, refused as `held` where it has one. */
  | { readonly kind: "survey" }
  /**
   * Writes the guard without a quarantine, if the connection is the one on which `survey` was granted and no
   * guard is there yet; otherwise it does nothing.
   */
  | { readonly kind: "trust"; readonly guard: GuardTerms };

/**
 * End, on the server, the connection that broke under this value's acquire, so that the acquire cannot run any more
 * (design rule 4). `granted` where it has ended; `unknown` where that cannot be had: no permission, or the server is
 * another process by now.
 */
export interface EndConnectionCommand {
  readonly kind: "end-connection";
  readonly resource: string;
  readonly value: string;
}

/** All that can be sent to a node. */
export type SentCommand = LockCommand | GuardCommand | EndConnectionCommand;
