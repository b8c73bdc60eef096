/** Mutants of the rules about extension, renewal and sweeps (design rules 4, 6 and 7). */
import { undo } from "../../../src/core/delete-everywhere.ts";
import { Round } from "../../../src/core/round.ts";
import type { Rules } from "../../../src/core/rules.ts";
import type { Belief } from "../../../src/core/belief.ts";
import type { DetachedResult, Effect } from "../../../src/ports/effect.ts";
import type { LabCommand } from "../lab-command.ts";
import { bend, type LabProcedure, perform } from "../lab-effect.ts";
import type { Strategy } from "../strategy.ts";

type ExtendCommand = Extract<LabCommand, { readonly kind: "extend" }>;

const ANY_EXTEND: Strategy = {
  name: "mutant:any-extend",
  summary: "An extension counts when any node has granted it.",
  extend: ({ shipped, rules }) => shipped({ ...rules, quorum: 1 }),
};

/** Extensions are sent as another command. */
function extendingBy(other: (command: ExtendCommand) => LabCommand): Pick<Strategy, "extend"> {
  return {
    extend: ({ shipped, rules }) =>
      bend(shipped(rules), (effect) =>
        effect.kind === "send" && effect.command.kind === "extend"
          ? perform({ ...effect, command: other(effect.command) })
          : undefined,
      ),
  };
}

const EXTEND_WITHOUT_COMPARE: Strategy = {
  name: "mutant:extend-without-compare",
  summary: "An extension writes the key anew, whoever has it.",
  ...extendingBy((command) => ({ ...command, kind: "overwrite" })),
};

const SHORTENING_EXTEND: Strategy = {
  name: "mutant:shortening-extend",
  summary: "An extension sets the expiry also where that shortens it.",
  ...extendingBy((command) => ({ ...command, kind: "extend-to" })),
};

const ENDLESS_EXTEND: Strategy = {
  name: "mutant:endless-extend",
  summary: "Renewal goes on for as long as the holder lives.",
  renewsForEver: true,
};

const UNDO_LOST_RENEWAL: Strategy = {
  name: "mutant:undo-lost-renewal",
  summary: "An extension round without a quorum is undone like an acquire's.",
  extend: ({ shipped, rules, belief, ttlMs }) => {
    let asked: Round | undefined;
    return bend(shipped(rules), (effect) => {
      if (effect.kind === "send" && effect.record instanceof Round) asked = effect.record;
      // Only a round that was not won draws a pause.
      if (effect.kind !== "draw-fraction" || asked === undefined) return undefined;
      return undoFirst(effect, { belief, ttlMs, acquired: asked }, rules);
    });
  },
};

function* undoFirst(
  effect: Effect,
  lost: { readonly belief: Belief; readonly ttlMs: number; readonly acquired: Round },
  rules: Rules,
) {
  const { belief, ttlMs, acquired } = lost;
  const ended = { resource: belief.resource, value: belief.value, ttlMs, acquired };
  yield* perform({ kind: "detach", procedure: undo(ended, rules) });
  return yield* perform(effect);
}

const SWEEP_WON_ROUND: Strategy = {
  name: "mutant:sweep-won-round",
  summary: "After a won attempt, nodes that had not answered are swept of its value later.",
  acquire: function* ({ shipped, rules }) {
    const outcome = yield* shipped(rules);
    if (outcome.kind === "granted") {
      const { belief, round } = outcome;
      yield* perform({ kind: "detach", procedure: sweep(belief, round) });
    }
    return outcome;
  },
};

const SWEEP_AFTER_MS = 505;

/** Who is silent is looked at when the sweep comes: by then a vote that was only slow is in. */
function* sweep(belief: Belief, round: Round): LabProcedure<DetachedResult> {
  const { resource, value } = belief;
  const untilMs = round.startedAtMs + SWEEP_AFTER_MS;
  yield { kind: "sleep", untilMs };
  const silent = Array.from({ length: round.nodeCount }, (_, index) => index).filter(
    (index) => round.replyOf(index)?.kind !== "granted",
  );
  const command = { kind: "delete", resource, value } as const;
  const record = new Round(new Array<string>(round.nodeCount).fill(""), untilMs);
  for (const nodeIndex of silent) yield { kind: "send", nodeIndex, command, untilMs: Infinity, record };
  return { orphanCount: 0 };
}

const RE_SEED_BY_PLAIN_SET: Strategy = {
  name: "mutant:re-seed-by-plain-set",
  summary: "Nodes that lack the key after an extension get it by a plain SET, whoever has it.",
  extend: ({ shipped, rules }) =>
    bend(shipped(rules), (effect) => {
      if (effect.kind !== "detach") return undefined;
      const procedure = bend(effect.procedure, (inner) => {
        if (inner.kind !== "send" || inner.command.kind !== "acquire") return undefined;
        const { resource, value, ttlMs } = inner.command;
        return perform({ ...inner, command: { kind: "overwrite", resource, value, ttlMs } });
      });
      return perform({ kind: "detach", procedure });
    }),
};

export const EXTENSION_MUTANTS: readonly Strategy[] = [
  ANY_EXTEND,
  EXTEND_WITHOUT_COMPARE,
  SHORTENING_EXTEND,
  ENDLESS_EXTEND,
  UNDO_LOST_RENEWAL,
  SWEEP_WON_ROUND,
  RE_SEED_BY_PLAIN_SET,
];
