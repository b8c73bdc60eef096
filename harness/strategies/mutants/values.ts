/** Mutants of the rule that every attempt draws a fresh value (design rule 4). */
import { bend, type LabProcedure, perform, skip } from "../lab-effect.ts";
import { Belief } from "../../../src/core/belief.ts";
import type { AcquireOutcome } from "../../../src/core/acquire.ts";
import type { Procedure, Resumption } from "../../../src/ports/effect.ts";
import type { Strategy } from "../strategy.ts";

/** All attempts of one acquire have the first one's value, and a node that has it already counts as a yes. */
function withOneValue(
  procedure: Procedure<AcquireOutcome>,
  { refreshes, undoes }: { readonly refreshes: boolean; readonly undoes: boolean },
): LabProcedure<AcquireOutcome> {
  let first: Resumption | undefined;
  return bend(procedure, (effect) => {
    if (effect.kind === "draw-value") {
      return (function* (): LabProcedure<Resumption> {
        first ??= yield effect;
        return first;
      })();
    }
    if (effect.kind === "detach" && !undoes) return skip();
    if (effect.kind !== "send" || effect.command.kind !== "acquire") return undefined;
    return perform({ ...effect, command: { ...effect.command, kind: "acquire-again", refreshes } });
  });
}

export const VALUE_MUTANTS: readonly Strategy[] = [
  {
    name: "mutant:reused-token",
    summary: "All attempts of one acquire use one value, and a node that has it already counts as a yes.",
    acquire: ({ shipped, rules }) => withOneValue(shipped(rules), { refreshes: true, undoes: true }),
  },
  {
    name: "mutant:idempotent-without-refresh",
    summary:
      "As reused-token, but nothing is taken back between attempts, and a key that is there keeps its old lifetime.",
    acquire: ({ shipped, rules }) => withOneValue(shipped(rules), { refreshes: false, undoes: false }),
  },
  {
    name: "mutant:swap-while-believing",
    summary: "A holder that hands its lock over goes on believing in it until the swap has come through.",
    release: function* ({ shipped, rules, held }) {
      const { resource, value, deadlineMs } = held.belief;
      const outcome = yield* shipped(rules, { ...held, belief: new Belief({ resource, value, deadlineMs }) });
      if (outcome.kind !== "unconfirmed") held.belief.end("released");
      return outcome;
    },
  },
];
