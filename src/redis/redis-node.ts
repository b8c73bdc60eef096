/**
 * One node on one ioredis connection of its own, so that commands run in the order in which they were sent.
 * It never rejects and never sends a command twice.
 *
 * Each connection asks first which process of the server it leads to; until that is answered commands wait, for the
 * amnesia guard cannot be checked without it (design rule 8).
 *
 * Not here yet: ending the old connection on the server (CLIENT KILL) before a successor undoes, and the start-up
 * probe.
 */
import type { Redis } from "ioredis";
import type { GuardCommand, LockCommand } from "../ports/command.ts";
import type { LockNode } from "../ports/node.ts";
import type { NodeReply } from "../ports/reply.ts";
import { CommandWriter } from "./command-writer.ts";
import { failureText } from "./failure-text.ts";
import { replyFromFailure, replyFromWire, wireFromCommand } from "./wire.ts";

/** Commands that may be outstanding; beyond it a silent node is not sent any more acquires and extensions. */
const OUTSTANDING_MAX = 10_000;
/** Deletes take back what was sent, so they get twice the room. */
const OUTSTANDING_DELETES_MAX = 2 * OUTSTANDING_MAX;
/** How long `close` waits for the connection to end. */
const CLOSE_TIMEOUT_MS = 2000;

type Settle = (reply: NodeReply) => void;

interface HeldCommand {
  readonly command: LockCommand | GuardCommand;
  readonly untilMs: number;
  readonly settle: Settle;
}

/** A `LockNode` on a real connection. */
export class RedisNode implements LockNode {
  readonly name: string;
  readonly #client: Redis;
  readonly #writer: CommandWriter;
  readonly #nowMs: () => number;
  /**
   * Commands that wait for a connection to be made, or to know its server; `undefined` while nobody has to wait: it
   * stands, or could not be made.
   */
  #held: HeldCommand[] | undefined = [];
  #outstandingCount = 0;
  #whyAway = "not connected";
  /** Of the server's process that this connection leads to; `undefined`: it does not say. */
  #runId: string | undefined;
  /** The server was found without a guard on this connection. */
  #isFoundUnguarded = false;

  /**
   * @param openClient makes a client under `CONNECTION_OPTIONS` that nobody else uses; where it connects to, and
   *   as whom, is its own affair.
   */
  constructor(name: string, openClient: () => Redis, nowMs: () => number) {
    this.name = name;
    this.#nowMs = nowMs;
    this.#client = openClient();
    this.#writer = new CommandWriter(this.#client);
    this.#client.on("error", (error: Error) => {
      this.#whyAway = failureText(error.message);
    });
    this.#client.on("ready", () => {
      this.#whyAway = "the connection was closed";
      void this.#meetServer();
    });
    this.#client.on("close", () => {
      this.#sendHeld();
    });
  }

  send(command: LockCommand | GuardCommand, untilMs: number, settle: Settle): void {
    const outstandingMax = command.kind === "delete" ? OUTSTANDING_DELETES_MAX : OUTSTANDING_MAX;
    if (this.#outstandingCount >= outstandingMax) {
      this.#refuse(settle, `${String(this.#outstandingCount)} commands are waiting for this node already`);
    } else if (this.#held !== undefined) {
      this.#outstandingCount += 1;
      this.#held.push({ command, untilMs, settle });
    } else if (this.#client.status !== "ready") {
      this.#refuse(settle, this.#whyAway);
    } else {
      this.#outstandingCount += 1;
      this.#write(command, settle);
    }
  }

  async close(): Promise<void> {
    const { status } = this.#client;
    const isOpen = status === "ready" || status === "connect" || status === "connecting";
    this.#writer.flush();
    this.#client.disconnect();
    if (isOpen) await this.#ended();
    this.#sendHeld();
  }

  /** Resolves at the end of the connection, or after the time limit: a frozen server must not hold us up. */
  #ended(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      this.#client.once("end", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Bounded by the connection: whatever ends it settles the question too. */
  async #meetServer(): Promise<void> {
    const { stream } = this.#client;
    this.#held ??= [];
    this.#isFoundUnguarded = false;
    this.#runId = await this.#client.info("server").then(runIdOf, () => undefined);
    // What was answered on a connection that has gone says nothing of its successor.
    if (this.#client.stream === stream) this.#sendHeld();
  }

  #sendHeld(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { command, untilMs, settle } of held) {
      if (this.#client.status === "ready" && this.#nowMs() < untilMs) this.#write(command, settle);
      else this.#settle(settle, { kind: "unknown", cause: this.#whyAway, mayHaveRun: false });
    }
  }

  #write(command: LockCommand | GuardCommand, settle: Settle): void {
    const runId = this.#runId;
    if (runId === undefined && "guard" in command && command.guard !== undefined) {
      this.#outstandingCount -= 1;
      this.#refuse(settle, "the server does not tell its run_id (INFO), which the restart guard needs");
      return;
    }
    if (command.kind === "trust" && !this.#isFoundUnguarded) {
      this.#outstandingCount -= 1;
      this.#refuse(settle, "this connection has not found the node without a guard");
      return;
    }
    const { stream } = this.#client;
    this.#writer.write(
      wireFromCommand(command, { runId: runId ?? "" }),
      (answer) => {
        const reply = replyFromWire(command.kind, answer);
        if (command.kind === "survey" && this.#client.stream === stream) {
          this.#isFoundUnguarded = reply.kind === "granted";
        }
        this.#settle(settle, reply);
      },
      (failure) => {
        this.#settle(settle, replyFromFailure(failure, this.#whyAway));
      },
    );
  }

  /** Later than `send` returns, as the port promises. */
  #refuse(settle: Settle, cause: string): void {
    queueMicrotask(() => {
      settle({ kind: "unknown", cause, mayHaveRun: false });
    });
  }

  #settle(settle: Settle, reply: NodeReply): void {
    this.#outstandingCount -= 1;
    settle(reply);
  }
}

const RUN_ID = /^run_id:(\S+)/m;

function runIdOf(info: string): string | undefined {
  return RUN_ID.exec(info)?.[1];
}
