/** Mutants of the rules about votes and rounds (design rules 2, 3 and 5). */
import type { AcquireOutcome } from "../../../src/core/acquire.ts";
import { majorityOf } from "../../../src/core/quorum.ts";
import { Round } from "../../../src/core/round.ts";
import type { DetachedResult, Effect, Procedure, Resumption } from "../../../src/ports/effect.ts";
import { bend, type LabProcedure, perform } from "../lab-effect.ts";
import { replyFor } from "../reply-for.ts";
import type { Strategy, StrategyMemory } from "../strategy.ts";

type Send = Extract<Effect, { readonly kind: "send" }>;

const VISIBLE_QUORUM: Strategy = {
  name: "mutant:visible-quorum",
  summary: "The quorum is a majority of the nodes in sight, not of those configured.",
  acquire: ({ shipped, rules, visibleCount }) => shipped({ ...rules, quorum: majorityOf(visibleCount) }),
};

const NO_PER_NODE_TIMEOUT: Strategy = {
  name: "mutant:no-per-node-timeout",
  summary: "A silent node is waited for without an end.",
  acquire: ({ shipped, rules }) =>
    bend(shipped(rules), (effect) =>
      effect.kind === "receive" ? perform({ ...effect, untilMs: Infinity }) : undefined,
    ),
};

const VOTE_DEADLOCK: Strategy = {
  name: "mutant:vote-deadlock-on-even-n",
  summary: "A round ends only with a quorum of yes or a quorum of no: an even split never does.",
  acquire: ({ shipped, rules }) =>
    bend(shipped(rules), (effect) => {
      const { record } = effect.kind === "receive" ? effect : {};
      return record instanceof Round ? untilSomeQuorum(record, rules.quorum) : undefined;
    }),
};

/** Bounded by the nodes: after the last reply it waits for nothing that will ever come. */
function* untilSomeQuorum(round: Round, quorum: number): LabProcedure<Resumption> {
  let resumption: Resumption;
  do {
    resumption = yield { kind: "receive", record: round, untilMs: Infinity };
  } while (round.grantedCount < quorum && round.nodeCount - round.silentCount - round.grantedCount < quorum);
  return resumption;
}

const COUNT_LATE_REPLIES: Strategy = {
  name: "mutant:count-late-replies",
  summary: "A reply counts for the round that is open when it comes, whatever it answers.",
  acquire: ({ shipped, rules, memory }) => countingLate(shipped(rules), memory),
  extend: ({ shipped, rules, memory }) => countingLate(shipped(rules), memory),
};

function countingLate<Outcome>(procedure: Procedure<Outcome>, memory: StrategyMemory): LabProcedure<Outcome> {
  return bend(procedure, (effect) => {
    if (effect.kind !== "send" || !(effect.record instanceof Round)) return undefined;
    memory.latestRound = effect.record;
    return perform({ kind: "detach", procedure: countWhenItComes(effect, memory) });
  });
}

/** Replies do not say what they answer, so a reply of any age is taken for one to the latest round. */
function* countWhenItComes(send: Send, memory: StrategyMemory): LabProcedure<DetachedResult> {
  const reply = yield* replyFor({ ...send, untilMs: Infinity }, send.command);
  const record = memory.latestRound ?? send.record;
  if (reply !== undefined) yield { kind: "settle", record, nodeIndex: send.nodeIndex, reply };
  return { orphanCount: 0 };
}

const RESEND_ON_RECONNECT: Strategy = {
  name: "mutant:resend-on-reconnect",
  summary: "A command that was not answered before its connection broke is sent again on the next one.",
  acquire: ({ shipped, rules }) => resending(shipped(rules)),
};

function resending(procedure: Procedure<AcquireOutcome>): LabProcedure<AcquireOutcome> {
  return bend(procedure, (effect) => {
    if (effect.kind !== "send") return undefined;
    return perform({ kind: "detach", procedure: sendUntilAnswered(effect) });
  });
}

/** The pauses between a client's tries to send again grow by this, as those between its connections do. */
const RESEND_STEP_MS = 40;
const RESENDS_MAX = 20;

function* sendUntilAnswered(send: Send): LabProcedure<DetachedResult> {
  let reply = yield* replyFor({ ...send, untilMs: Infinity }, send.command);
  for (let count = 1; count <= RESENDS_MAX && reply?.kind === "unknown"; count += 1) {
    const time = yield { kind: "now" };
    if (time.kind === "time") yield { kind: "sleep", untilMs: time.nowMs + count * RESEND_STEP_MS };
    reply = yield* replyFor({ ...send, untilMs: Infinity }, send.command);
  }
  if (reply !== undefined) yield { kind: "settle", record: send.record, nodeIndex: send.nodeIndex, reply };
  return { orphanCount: 0 };
}

export const ROUND_MUTANTS: readonly Strategy[] = [
  VISIBLE_QUORUM,
  NO_PER_NODE_TIMEOUT,
  VOTE_DEADLOCK,
  COUNT_LATE_REPLIES,
  RESEND_ON_RECONNECT,
];
