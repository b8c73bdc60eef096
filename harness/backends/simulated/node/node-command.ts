/**
 * What a simulated node can be asked: the lock commands, and the few others that stories and the contract need.
 * They are data and not Redis' text, so that nothing is parsed in a simulated run; the contract suite sends the
 * same commands to a real server and compares every answer.
 */
import type {
  DeleteCommand,
  ExtendCommand,
  GuardCommand,
  LockCommand,
} from "../../../../src/ports/command.ts";

/** A lock command that is a script. */
export type ScriptCommand = ExtendCommand | DeleteCommand;

export type NodeCommand =
  | LockCommand
  | GuardCommand
  /** EVALSHA of the lock command's script. */
  | { readonly kind: "call-cached"; readonly script: ScriptCommand }
  /** SET, which asks nobody; without `ttlMs` the key does not expire. */
  | { readonly kind: "write"; readonly resource: string; readonly value: string; readonly ttlMs?: number }
  /** DEL, which compares nothing. */
  | { readonly kind: "remove"; readonly resource: string }
  /** GET. */
  | { readonly kind: "read"; readonly resource: string }
  /** PTTL. */
  | { readonly kind: "lifetime"; readonly resource: string }
  | { readonly kind: "time" }
  /** INFO; of its fields `role`, `run_id` and `uptime_in_seconds`. */
  | { readonly kind: "info" }
  /** FLUSHALL. */
  | { readonly kind: "flush-all" }
  /** SCRIPT FLUSH. */
  | { readonly kind: "flush-scripts" };

/** As it comes over the wire. */
export type NodeAnswer = string | number | null | readonly string[] | NodeFailure;

/** An error that the server answers with. */
export interface NodeFailure {
  readonly kind: "failure";
  readonly message: string;
}
