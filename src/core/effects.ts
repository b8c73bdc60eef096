/**
 * The effects as small typed generators, so that procedures read `const nowMs = yield* now()` and need no
 * casts. Nothing is performed here.
 */
import type { SentCommand } from "../ports/command.ts";
import type { DetachedResult, Effect, Mailbox, Procedure, ReplyRecord, Resumption } from "../ports/effect.ts";
import type { TokenSource } from "../ports/token-source.ts";

const NOW: Effect = { kind: "now" };
const DRAW_VALUE: Effect = { kind: "draw-value" };
const DRAW_FRACTION: Effect = { kind: "draw-fraction" };

/** The monotonic time in milliseconds. */
export function* now(): Procedure<number> {
  const resumption = yield NOW;
  if (resumption.kind !== "time") throw mismatch(NOW, resumption);
  return resumption.nowMs;
}

/** A fresh owner value. */
export function* drawValue(): Procedure<string> {
  const resumption = yield DRAW_VALUE;
  if (resumption.kind !== "value") throw mismatch(DRAW_VALUE, resumption);
  return resumption.value;
}

/** Uniform in [0, 1). */
export function* drawFraction(): Procedure<number> {
  const resumption = yield DRAW_FRACTION;
  if (resumption.kind !== "fraction") throw mismatch(DRAW_FRACTION, resumption);
  return resumption.fraction;
}

/** Sends one command; its reply goes to `record`, whenever it comes. */
export function* send(
  record: ReplyRecord,
  nodeIndex: number,
  { command, untilMs }: { readonly command: SentCommand; readonly untilMs: number },
): Procedure<void> {
  yield { kind: "send", nodeIndex, command, untilMs, record };
}

/** Waits for the next reply of a round, or the next word of another procedure, or until the time has come. */
export function* receive(record: Mailbox, untilMs: number): Procedure<"reply" | "deadline"> {
  const effect: Effect = { kind: "receive", record, untilMs };
  const resumption = yield effect;
  if (resumption.kind !== "reply" && resumption.kind !== "deadline") throw mismatch(effect, resumption);
  return resumption.kind;
}

/** Wakes the procedure that waits for `mailbox`, which has news. */
export function* notify(mailbox: Mailbox): Procedure<void> {
  yield { kind: "notify", mailbox };
}

/** Waits until the time has come. */
export function* sleepUntil(untilMs: number): Procedure<void> {
  yield { kind: "sleep", untilMs };
}

export type TokenDraw =
  | { readonly kind: "drawn"; readonly token: bigint }
  | { readonly kind: "failed"; readonly cause: unknown };

/** Draws a fencing token; a source that is silent until `untilMs` has failed. */
export function* drawToken(source: TokenSource, resource: string, untilMs: number): Procedure<TokenDraw> {
  const effect: Effect = { kind: "draw-token", source, resource, untilMs };
  const resumption = yield effect;
  switch (resumption.kind) {
    case "token":
      return { kind: "drawn", token: resumption.token };
    case "token-failed":
      return { kind: "failed", cause: resumption.cause };
    case "deadline":
      return { kind: "failed", cause: "the token source was silent until the lock's deadline" };
    default:
      throw mismatch(effect, resumption);
  }
}

/** Starts a procedure that goes on by itself. */
export function* detach(procedure: Procedure<DetachedResult>): Procedure<void> {
  yield { kind: "detach", procedure };
}

/** A driver that answers an effect with another one's resumption is broken. */
function mismatch(effect: Effect, resumption: Resumption): Error {
  return new Error(`driver fault: the effect "${effect.kind}" was resumed with "${resumption.kind}"`);
}
