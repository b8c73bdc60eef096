/** Mutants of the rules about undo and release (design rule 4). */
import { Round } from "../../../src/core/round.ts";
import type { DeleteCommand } from "../../../src/ports/command.ts";
import type { DetachedResult, Effect, Procedure } from "../../../src/ports/effect.ts";
import { FOREIGN, GRANTED, type NodeReply } from "../../../src/ports/reply.ts";
import { bend, type Instead, type LabProcedure, perform, skip } from "../lab-effect.ts";
import { replyFor } from "../reply-for.ts";
import type { Strategy } from "../strategy.ts";

type Send = Extract<Effect, { readonly kind: "send" }> & { readonly command: DeleteCommand };

const NO_UNDO: Strategy = {
  name: "mutant:no-undo",
  summary: "A lost attempt is not undone.",
  acquire: ({ shipped, rules }) =>
    bend(shipped(rules), (effect) => (effect.kind === "detach" ? skip() : undefined)),
};

const UNDO_ONLY_YES_VOTES: Strategy = {
  name: "mutant:undo-only-yes-votes",
  summary: "A lost attempt is undone only on nodes that had granted it: silence is taken for a refusal.",
  acquire: ({ shipped, rules }) => {
    let attempted: Round | undefined;
    return bend(shipped(rules), (effect) => {
      if (effect.kind === "send" && effect.record instanceof Round) attempted = effect.record;
      if (effect.kind !== "detach") return undefined;
      const granted = grantedNodes(attempted);
      const procedure = bend(effect.procedure, (inner) =>
        inner.kind === "send" && !granted.has(inner.nodeIndex) ? skip() : undefined,
      );
      return perform({ kind: "detach", procedure });
    });
  },
};

/** The nodes that have granted by now. */
function grantedNodes(round: Round | undefined): ReadonlySet<number> {
  const granted = new Set<number>();
  for (let index = 0; index < (round?.nodeCount ?? 0); index += 1) {
    if (round?.replyOf(index)?.kind === "granted") granted.add(index);
  }
  return granted;
}

/** Deletes are sent another way, wherever the procedure sends them. */
function deletingBy(deleteBy: (send: Send) => LabProcedure<void>): Pick<Strategy, "acquire" | "release"> {
  const instead: Instead = (effect) => {
    if (effect.kind === "send" && effect.command.kind === "delete")
      return done(deleteBy({ ...effect, command: effect.command }));
    if (effect.kind === "detach") {
      return perform({ kind: "detach", procedure: bendDetached(effect.procedure, instead) });
    }
    return undefined;
  };
  return {
    acquire: ({ shipped, rules }) => bend(shipped(rules), instead),
    release: ({ shipped, rules }) => bend(shipped(rules), instead),
  };
}

function bendDetached(procedure: Procedure<DetachedResult>, instead: Instead): LabProcedure<DetachedResult> {
  return bend(procedure, instead);
}

function* done(procedure: LabProcedure<void>) {
  yield* procedure;
  return { kind: "done" } as const;
}

const PLAIN_DEL: Strategy = {
  name: "mutant:plain-del",
  summary: "Keys are deleted by DEL, whoever has them.",
  ...deletingBy(function* (send) {
    yield { ...send, command: { kind: "remove", resource: send.command.resource } };
  }),
};

/** Between GET and DEL, as long as a client may be held up there. */
const GET_TO_DEL_MS = 200;

const GET_THEN_DEL: Strategy = {
  name: "mutant:get-then-del",
  summary: "The value is compared by GET and deleted by DEL, with time in between.",
  ...deletingBy(function* (send) {
    yield { kind: "detach", procedure: getThenDelete(send) };
  }),
};

function* getThenDelete(send: Send): LabProcedure<DetachedResult> {
  const { resource, value } = send.command;
  const compared = yield* replyFor(send, { kind: "compare", resource, value });
  let reply: NodeReply = compared ?? FOREIGN;
  if (compared?.kind === "granted") {
    const time = yield { kind: "now" };
    if (time.kind === "time") yield { kind: "sleep", untilMs: time.nowMs + GET_TO_DEL_MS };
    reply = (yield* replyFor(send, { kind: "remove", resource })) ?? FOREIGN;
  }
  yield { kind: "settle", record: send.record, nodeIndex: send.nodeIndex, reply };
  return { orphanCount: 0 };
}

/** A connection that broke here is taken for one that has ended there. */
const withoutKill: Instead = (effect) => {
  if (effect.kind === "send" && effect.command.kind === "end-connection") return done(claimEnded(effect));
  if (effect.kind !== "detach") return undefined;
  return perform({ kind: "detach", procedure: bendDetached(effect.procedure, withoutKill) });
};

function* claimEnded({ record, nodeIndex }: Pick<Send, "record" | "nodeIndex">): LabProcedure<void> {
  yield { kind: "settle", record, nodeIndex, reply: GRANTED };
}

const UNDO_WITHOUT_KILL: Strategy = {
  name: "mutant:undo-without-kill",
  summary: "A lost attempt is undone on a new connection without ending the old one on the server.",
  acquire: ({ shipped, rules }) => bend(shipped(rules), withoutKill),
  release: ({ shipped, rules }) => bend(shipped(rules), withoutKill),
};

export const DELETE_MUTANTS: readonly Strategy[] = [
  NO_UNDO,
  UNDO_ONLY_YES_VOTES,
  PLAIN_DEL,
  GET_THEN_DEL,
  UNDO_WITHOUT_KILL,
];
