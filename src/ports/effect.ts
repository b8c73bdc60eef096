/**
 * The effects a procedure can ask for, and what it is resumed with. A procedure is a synchronous generator:
 * it holds the whole algorithm and touches nothing itself. A driver performs the effects: `src/runtime` on
 * real connections and timers, the laboratory's simulation on virtual ones.
 */
import type { SentCommand } from "./command.ts";
import type { NodeReply } from "./reply.ts";
import type { TokenSource } from "./token-source.ts";

/** What a procedure can wait for: the replies of a round, or the word of another procedure. */
export interface Mailbox {
  /** True when something has come that the procedure has not been resumed with. */
  readonly hasNews: boolean;
  /** Called by the driver when it resumes the procedure with the news. */
  takeNews(): void;
}

/**
 * Where the replies of one fan-out are kept. The driver settles it whenever a reply comes, also long after
 * the procedure has decided: a reply belongs to the round of the command it answers and to no other.
 */
export interface ReplyRecord extends Mailbox {
  /** Called by the driver once for each command that got a reply. */
  settle(nodeIndex: number, reply: NodeReply, atMs: number): void;
}

export type Effect =
  /** Resumed with the monotonic time in milliseconds. */
  | { readonly kind: "now" }
  /** Resumed with a fresh, unguessable owner value. */
  | { readonly kind: "draw-value" }
  /** Resumed with a number drawn uniformly from [0, 1). */
  | { readonly kind: "draw-fraction" }
  /** Resumed at once; the reply goes to `record`. */
  | {
      readonly kind: "send";
      readonly nodeIndex: number;
      readonly command: SentCommand;
      readonly untilMs: number;
      readonly record: ReplyRecord;
    }
  /** Resumed when `record` has news (at once if it has) or when `untilMs` has come. */
  | { readonly kind: "receive"; readonly record: Mailbox; readonly untilMs: number }
  /** Wakes whatever procedure of this process waits for `mailbox`. Resumed when that one waits again. */
  | { readonly kind: "notify"; readonly mailbox: Mailbox }
  /** Resumed when `untilMs` has come. */
  | { readonly kind: "sleep"; readonly untilMs: number }
  /** Resumed with a token, with the source's failure, or when `untilMs` has come. */
  | {
      readonly kind: "draw-token";
      readonly source: TokenSource;
      readonly resource: string;
      readonly untilMs: number;
    }
  /**
   * Starts another procedure that goes on by itself; it has run to its first wait when this one is resumed.
   * It never keeps a process alive.
   */
  | { readonly kind: "detach"; readonly procedure: Procedure<DetachedResult> };

/** What a detached procedure leaves to be counted. */
export interface DetachedResult {
  /** Nodes on which the delete of an ended value was never confirmed. */
  readonly orphanCount: number;
}

export type Resumption =
  | { readonly kind: "time"; readonly nowMs: number }
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "fraction"; readonly fraction: number }
  | { readonly kind: "token"; readonly token: bigint }
  | { readonly kind: "token-failed"; readonly cause: unknown }
  | { readonly kind: "reply" }
  | { readonly kind: "deadline" }
  | { readonly kind: "done" };

export type Procedure<Result> = Generator<Effect, Result, Resumption>;
