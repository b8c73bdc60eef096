/** How one node is guarded: by itself, wherever it lets us; by what this process has seen of it, elsewhere. */
import type { GuardCommand, LockCommand } from "../../ports/command.ts";
import { GRANTED, type NodeReply } from "../../ports/reply.ts";
import { isCommandDenied } from "../command-denied.ts";
import type { ServerConnection } from "../server-connection.ts";
import { ProcessQuarantine } from "./process-quarantine.ts";

/** What is done about a command on a connection. */
export type Judgement =
  | { readonly kind: "write"; readonly command: LockCommand | GuardCommand }
  /** Without asking the server. */
  | { readonly kind: "answer"; readonly reply: NodeReply };

/** A command as it was asked for, and as it was written. */
interface Exchange {
  readonly command: LockCommand | GuardCommand;
  readonly written: LockCommand | GuardCommand;
  readonly connection: ServerConnection;
}

interface NodeGuardOptions {
  /** False: none are sent to this node. */
  readonly wantsScripts: boolean;
  readonly nowMs: () => number;
  /** Told once for each thing that is not as it should be, in one sentence. */
  readonly warn: (message: string) => void;
}

const GUARDED_FROM_HERE =
  "the restart guard goes by what this process has seen, so that each process of the server, or connection to it, " +
  "casts no vote for one longest lifetime, and that it was emptied (FLUSHALL) is not seen";

/** What is known of one node's guard. */
export class NodeGuard {
  readonly #options: NodeGuardOptions;
  readonly #quarantine = new ProcessQuarantine();
  readonly #warned = new Set<string>();
  /** Scripts are run for us, as far as is known. */
  #areScriptsRun: boolean;
  /** On this connection the server was found without a guard. */
  #foundUnguarded: ServerConnection | undefined;

  constructor(options: NodeGuardOptions) {
    this.#options = options;
    this.#areScriptsRun = options.wantsScripts;
  }

  /** A connection has been made, perhaps to another server, or with other rights. */
  meet(connection: ServerConnection): void {
    this.#areScriptsRun = this.#options.wantsScripts;
    this.#quarantine.see(connection.identity, this.#options.nowMs());
    if (connection.whyNotDurable !== undefined) {
      this.#warnOnce(
        "durable",
        `is declared durable and is not (${connection.whyNotDurable}): after a restart it casts no vote for one longest lifetime`,
      );
    }
  }

  judge(command: LockCommand | GuardCommand, connection: ServerConnection): Judgement {
    switch (command.kind) {
      case "acquire":
      case "extend":
        if (isLoginWanted(connection)) return { kind: "answer", reply: unknown(connection.whyNoRunId) };
        return command.guard === undefined || this.#canGuardItself(connection)
          ? { kind: "write", command }
          : this.#guardFromHere(
              { ...command, guard: undefined },
              command.guard.longestLifetimeMs,
              connection,
            );
      case "trust":
        return this.#trust(command, connection);
      default:
        return { kind: "write", command };
    }
  }

  /** @returns the reply to a command that was written, with what it was guarded by. */
  complete(reply: NodeReply, { command, written, connection }: Exchange): NodeReply {
    if (reply.kind !== "granted") return reply;
    if (command.kind === "survey") this.#foundUnguarded = connection;
    return isGuarded(command) && !isGuarded(written) ? { ...reply, guardedBy: "process" } : reply;
  }

  /** The server refused a command with an error. */
  noteError(command: LockCommand | GuardCommand, message: string): void {
    if (!isGuarded(command) || command.kind === "trust" || !isCommandDenied(message)) return;
    this.#areScriptsRun = false;
    this.#warnOnce("scripts", `runs no scripts for this user (${message}): ${GUARDED_FROM_HERE}`);
  }

  #canGuardItself({ runId, whyNoRunId, whyNoGuardKeys }: ServerConnection): boolean {
    if (runId === undefined) {
      this.#warnOnce("run_id", `does not tell its run_id (${whyNoRunId ?? "INFO"}): ${GUARDED_FROM_HERE}`);
    }
    if (whyNoGuardKeys !== undefined) {
      this.#warnOnce(
        "keys",
        `does not give this user the keys of its guard (${whyNoGuardKeys}): ${GUARDED_FROM_HERE}`,
      );
    }
    if (!this.#options.wantsScripts) this.#warnOnce("scripts", `is sent no scripts: ${GUARDED_FROM_HERE}`);
    return this.#areScriptsRun && runId !== undefined && whyNoGuardKeys === undefined;
  }

  #guardFromHere(command: LockCommand, longestLifetimeMs: number, connection: ServerConnection): Judgement {
    const nowMs = this.#options.nowMs();
    const leftMs = this.#quarantine.leftMs(connection.identity, longestLifetimeMs, nowMs);
    if (leftMs === 0) return { kind: "write", command };
    return { kind: "answer", reply: { kind: "refused", reason: "quarantined", leftMs } };
  }

  #trust(command: GuardCommand, connection: ServerConnection): Judgement {
    if (this.#foundUnguarded !== connection) {
      const cause = "this connection has not found the node without a guard";
      return { kind: "answer", reply: unknown(cause) };
    }
    this.#quarantine.trust(connection.identity);
    return this.#canGuardItself(connection) ? { kind: "write", command } : { kind: "answer", reply: GRANTED };
  }

  #warnOnce(what: string, message: string): void {
    if (this.#warned.has(what)) return;
    this.#warned.add(what);
    this.#options.warn(message);
  }
}

function isGuarded(command: LockCommand | GuardCommand): boolean {
  return "guard" in command && command.guard !== undefined;
}

/** It answers nothing at all until somebody logs in, so nothing can be said of what it forgets. */
function isLoginWanted({ whyNoRunId }: ServerConnection): boolean {
  return whyNoRunId?.startsWith("NOAUTH") === true;
}

function unknown(cause = ""): NodeReply {
  return { kind: "unknown", cause, mayHaveRun: false };
}
