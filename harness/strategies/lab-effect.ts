/** The effects of a strategy's procedures: the coordinator's own, with commands that only the laboratory knows. */
import type { DetachedResult, Effect, ReplyRecord, Resumption } from "../../src/ports/effect.ts";
import type { NodeReply } from "../../src/ports/reply.ts";
import type { LabCommand } from "./lab-command.ts";

export type LabEffect =
  | Exclude<Effect, { readonly kind: "send" | "detach" }>
  | {
      readonly kind: "send";
      readonly nodeIndex: number;
      readonly command: LabCommand;
      readonly untilMs: number;
      readonly record: ReplyRecord;
    }
  | { readonly kind: "detach"; readonly procedure: LabProcedure<DetachedResult> }
  /** A reply that came for something else is given to a record. Resumed at once. */
  | {
      readonly kind: "settle";
      readonly record: ReplyRecord;
      readonly nodeIndex: number;
      readonly reply: NodeReply;
    };

export type LabProcedure<Result> = Generator<LabEffect, Result, Resumption>;

/** What happens instead of an effect; `undefined` where it is performed as it is. */
export type Instead = (effect: Effect) => LabProcedure<Resumption> | undefined;

const DONE: Resumption = { kind: "done" };

/** The procedure as it is shipped, with some of its effects replaced. Bounded by the procedure. */
export function* bend<Result>(
  procedure: Generator<Effect, Result, Resumption>,
  instead: Instead,
): LabProcedure<Result> {
  let step = procedure.next(DONE);
  while (step.done !== true) {
    const replacement = instead(step.value);
    step = procedure.next(replacement === undefined ? yield step.value : yield* replacement);
  }
  return step.value;
}

/** Nothing happens instead. */
export function* skip(): LabProcedure<Resumption> {
  return DONE;
}

/** Another effect is performed instead. */
export function* perform(effect: LabEffect): LabProcedure<Resumption> {
  return yield effect;
}
