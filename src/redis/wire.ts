/** Between lock commands and what goes over the wire: pure, both ways. */
import {
  type Durability,
  GUARD_KEY,
  QUARANTINE_KEY,
  recordFromText,
  recordText,
  termsText,
} from "../core/guard-record.ts";
import {
  type AcquireCommand,
  type ExtendCommand,
  type GuardCommand,
  type LockCommand,
  resourcesOf,
} from "../ports/command.ts";
import { FOREIGN, GRANTED, HELD, MISSING, type NodeReply } from "../ports/reply.ts";
import { failureText } from "./failure-text.ts";
import {
  ACQUIRE_SCRIPT,
  DELETE_SCRIPT,
  EXTEND_SCRIPT,
  GUARDED_ACQUIRE_SCRIPT,
  GUARDED_EXTEND_SCRIPT,
  GUARDED_REPLACE_SCRIPT,
  REPLACE_SCRIPT,
  SCRIPT_FOREIGN,
  SCRIPT_GRANTED,
  SCRIPT_HELD,
  SCRIPT_MISMATCHED,
  SCRIPT_MISSING,
  SCRIPT_QUARANTINED,
} from "./scripts.ts";

/** A Redis command with its arguments. */
export interface WireCommand {
  readonly name: "SET" | "EVAL" | "EXISTS" | "DELEX" | "DELIFEQ";
  readonly args: readonly string[];
}

/** What a connection knows of the server that it leads to. */
export interface WireContext {
  /** Of the server's process; it changes with every start. */
  readonly runId: string;
  /** What the node is declared to outlive, and was found to. */
  readonly durability: Durability;
}

/** What is sent for a lock command. A command that demands a guard needs a connection that knows its server. */
export function wireFromCommand(command: LockCommand | GuardCommand, context: WireContext): WireCommand {
  switch (command.kind) {
    case "acquire":
      return acquireFromCommand(command, context);
    case "extend": {
      const args = [command.value, String(command.ttlMs)];
      if (command.guard === undefined) return script(EXTEND_SCRIPT, resourcesOf(command), args);
      return guarded(GUARDED_EXTEND_SCRIPT, command, context);
    }
    case "delete":
      return script(DELETE_SCRIPT, resourcesOf(command), [command.value]);
    case "survey":
      return { name: "EXISTS", args: [GUARD_KEY] };
    case "trust":
      return { name: "SET", args: [GUARD_KEY, recordOf(command, context), "NX"] };
  }
}

/** One resource that nobody has needs no script. */
function acquireFromCommand(command: AcquireCommand, context: WireContext): WireCommand {
  const { resource, others, value, ttlMs, guard, replaces } = command;
  const ttl = String(ttlMs);
  if (guard !== undefined) {
    const text = replaces === undefined ? GUARDED_ACQUIRE_SCRIPT : GUARDED_REPLACE_SCRIPT;
    return guarded(text, command, context);
  }
  if (replaces !== undefined) return script(REPLACE_SCRIPT, resourcesOf(command), [value, ttl, replaces]);
  if (others !== undefined) return script(ACQUIRE_SCRIPT, resourcesOf(command), [value, ttl]);
  return { name: "SET", args: [resource, value, "PX", ttl, "NX"] };
}

function script(text: string, keys: readonly string[], args: readonly string[]): WireCommand {
  return { name: "EVAL", args: [text, String(keys.length), ...keys, ...args] };
}

function guarded(
  text: string,
  command: AcquireCommand | ExtendCommand,
  { runId, durability }: WireContext,
): WireCommand {
  const { value, ttlMs, guard } = command;
  if (guard === undefined) throw new Error("a guarded command has terms");
  const keys = [GUARD_KEY, QUARANTINE_KEY, ...resourcesOf(command)];
  const demands = [runId, termsText(guard), durability, String(guard.longestLifetimeMs)];
  const replaced = command.kind === "acquire" && command.replaces !== undefined ? [command.replaces] : [];
  return script(text, keys, [value, String(ttlMs), ...demands, ...replaced]);
}

function recordOf({ guard }: Extract<GuardCommand, { kind: "trust" }>, context: WireContext): string {
  return recordText({ ...context, terms: guard });
}

/** An answer that fits no command is `unknown`: it proves neither that the command ran nor that it did not. */
export function replyFromWire(kind: (LockCommand | GuardCommand)["kind"], answer: unknown): NodeReply {
  const reply = Array.isArray(answer) ? replyFromPair(answer) : replyFromCode(kind, answer);
  if (reply !== undefined) return reply;
  return { kind: "unknown", cause: `unexpected answer to ${kind}: ${String(answer)}`, mayHaveRun: true };
}

function replyFromCode(kind: (LockCommand | GuardCommand)["kind"], answer: unknown): NodeReply | undefined {
  const isPlain = kind === "acquire" || kind === "trust";
  if (kind === "survey") return answer === 0 ? GRANTED : answer === 1 ? HELD : undefined;
  switch (answer) {
    case "OK":
      return isPlain || kind === "extend" ? GRANTED : undefined;
    case null:
      // Of an extension by SET … IFEQ: whether there was a key is not told.
      return isPlain ? HELD : kind === "extend" ? MISSING : undefined;
    case SCRIPT_GRANTED:
      return GRANTED;
    case SCRIPT_HELD:
      return HELD;
    case SCRIPT_MISSING:
      return MISSING;
    case SCRIPT_FOREIGN:
      return FOREIGN;
    default:
      return undefined;
  }
}

function replyFromPair([what, detail]: readonly unknown[]): NodeReply | undefined {
  if (typeof detail !== "string") return undefined;
  if (what === SCRIPT_QUARANTINED) {
    return { kind: "refused", reason: "quarantined", leftMs: Number(detail) };
  }
  if (what !== SCRIPT_MISMATCHED) return undefined;
  return { kind: "refused", reason: "mismatched", found: describeGuard(detail) };
}

function describeGuard(text: string): string {
  const terms = recordFromText(text)?.terms;
  if (terms === undefined) return `a guard that nobody here can read (${text})`;
  return `nodes ${terms.membership} and a longest lifetime of ${String(terms.longestLifetimeMs)} ms`;
}

/**
 * A failed command is `unknown`: it leaves the caller without a vote. A server that answered with an error
 * (LOADING, READONLY, OOM, …) did not run it; when the connection broke it may have run, or run yet.
 *
 * @param whyAway what is known about the connection; ioredis itself only says that it has given up.
 */
export function replyFromFailure(failure: unknown, whyAway: string): NodeReply {
  return isServerError(failure)
    ? { kind: "unknown", cause: failureText(failure.message), mayHaveRun: false }
    : { kind: "unknown", cause: whyAway, mayHaveRun: true };
}

/** An error that the server answered with. */
export function isServerError(failure: unknown): failure is Error {
  return failure instanceof Error && failure.name === "ReplyError";
}
