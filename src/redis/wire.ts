/** Between lock commands and what goes over the wire: pure, both ways. */
import type { LockCommand } from "../ports/command.ts";
import { FOREIGN, GRANTED, HELD, MISSING, type NodeReply } from "../ports/reply.ts";
import { failureText } from "./failure-text.ts";
import { DELETE_SCRIPT, EXTEND_SCRIPT, SCRIPT_FOREIGN, SCRIPT_GRANTED, SCRIPT_MISSING } from "./scripts.ts";

/** A Redis command with its arguments. */
export interface WireCommand {
  readonly name: "SET" | "EVAL";
  readonly args: readonly string[];
}

/** What is sent for a lock command. */
export function wireFromCommand(command: LockCommand): WireCommand {
  const { resource, value } = command;
  switch (command.kind) {
    case "acquire":
      return { name: "SET", args: [resource, value, "PX", String(command.ttlMs), "NX"] };
    case "extend":
      return { name: "EVAL", args: [EXTEND_SCRIPT, "1", resource, value, String(command.ttlMs)] };
    case "delete":
      return { name: "EVAL", args: [DELETE_SCRIPT, "1", resource, value] };
  }
}

/** An answer that fits no command is `unknown`: it proves neither that the command ran nor that it did not. */
export function replyFromWire(kind: LockCommand["kind"], answer: unknown): NodeReply {
  if (kind === "acquire") {
    if (answer === "OK") return GRANTED;
    if (answer === null) return HELD;
  } else {
    if (answer === SCRIPT_GRANTED) return GRANTED;
    if (answer === SCRIPT_MISSING) return MISSING;
    if (answer === SCRIPT_FOREIGN) return FOREIGN;
  }
  return { kind: "unknown", cause: `unexpected answer to ${kind}: ${String(answer)}`, mayHaveRun: true };
}

/**
 * A failed command is `unknown`: it leaves the caller without a vote. A server that answered with an error
 * (LOADING, READONLY, OOM, …) did not run it; when the connection broke it may have run, or run yet.
 *
 * @param whyAway what is known about the connection; ioredis itself only says that it has given up.
 */
export function replyFromFailure(failure: unknown, whyAway: string): NodeReply {
  const answeredByServer = failure instanceof Error && failure.name === "ReplyError";
  return answeredByServer
    ? { kind: "unknown", cause: failureText(failure.message), mayHaveRun: false }
    : { kind: "unknown", cause: whyAway, mayHaveRun: true };
}
