/**
 * Deleting an ended value on every node it was ever sent to (design rule 4). A silent node is waited for:
 * its connection keeps the order of commands, so the delete runs right behind the command it takes back. A node
 * that is away is swept when it returns: its delete is held back until then.
 * Where the connection broke under the acquire, that may still run later, on a connection that nobody has
 * any more (scenario S63). So that connection is ended on the server, and then the value is deleted. Where it
 * cannot be ended, the delete is repeated until the key cannot be alive, whatever is answered in between.
 */
import type { DeleteCommand, EndConnectionCommand, SentCommand, Target } from "../ports/command.ts";
import type { DetachedResult, Procedure } from "../ports/effect.ts";
import type { NodeReply } from "../ports/reply.ts";
import { backoffMs, type Backoff } from "./backoff.ts";
import { detach, drawFraction, now, receive, send, sleepUntil } from "./effects.ts";
import type { Reseeds } from "./reseeds.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";

/** A value that nobody believes in any more. */
export interface EndedValue extends Target {
  readonly value: string;
  /** The longest lifetime that was ever asked for it, in milliseconds. */
  readonly ttlMs: number;
  /** The round that acquired it, or tried to: what each node said of it. */
  readonly acquired: Round;
  /** Where it was sent again later, and what was said to that. */
  readonly reseeds?: Reseeds | undefined;
}

/** Deletes that have been sent, and until when they matter. */
export interface Deletes {
  readonly ended: EndedValue;
  readonly round: Round;
  readonly command: DeleteCommand;
  /** After this no node can hold the value any more. */
  readonly giveUpAtMs: number;
}

const REPEATS_MAX = 1000;
const REPEAT_BACKOFF: Backoff = { baseMs: 50, capMs: 2000 };

/** Sends the delete to every node. */
export function* sendDeletes(ended: EndedValue, rules: Rules): Procedure<Deletes> {
  const round = new Round(rules.nodeNames, yield* now());
  const { resource, others, value } = ended;
  const command: DeleteCommand = { kind: "delete", resource, others, value };
  const giveUpAtMs = round.startedAtMs + ended.ttlMs + rules.longestDelayMs;
  for (let nodeIndex = 0; nodeIndex < round.nodeCount; nodeIndex++) {
    // Where the value cannot be, nothing waits for the node's return.
    const untilMs = canHold(ended, nodeIndex) ? giveUpAtMs : round.startedAtMs;
    yield* send(round, nodeIndex, { command, untilMs });
  }
  return { ended, round, command, giveUpAtMs };
}

/** Takes back a lost acquire attempt: detached, so that nobody waits for it. */
export function* undo(ended: EndedValue, rules: Rules): Procedure<DetachedResult> {
  return yield* followDeletes(yield* sendDeletes(ended, rules), rules);
}

/**
 * Sees sent deletes through. A driver that can wait no longer throws into it; what is not confirmed then, or
 * when the key cannot live any more, is counted as orphans.
 */
export function* followDeletes(deletes: Deletes, rules: Rules): Procedure<DetachedResult> {
  const { round, giveUpAtMs } = deletes;
  const repeated = new Set<number>();
  try {
    for (;;) {
      yield* repeatWhereNeeded(deletes, repeated, rules);
      if (round.silentCount === 0) return { orphanCount: 0 };
      if ((yield* receive(round, giveUpAtMs)) === "deadline") break;
    }
  } catch {
    // The driver is being closed.
  }
  return { orphanCount: unconfirmedCount(deletes) };
}

function* repeatWhereNeeded(deletes: Deletes, repeated: Set<number>, rules: Rules): Procedure<void> {
  const { round, ended } = deletes;
  for (let nodeIndex = 0; nodeIndex < round.nodeCount; nodeIndex++) {
    if (repeated.has(nodeIndex) || !canHold(ended, nodeIndex)) continue;
    if (!mustRepeat(round.replyOf(nodeIndex), isUnderWay(ended, nodeIndex))) continue;
    repeated.add(nodeIndex);
    yield* detach(repeatDelete(deletes, nodeIndex, rules));
  }
}

function* repeatDelete(deletes: Deletes, nodeIndex: number, rules: Rules): Procedure<DetachedResult> {
  const { command, giveUpAtMs, ended } = deletes;
  let lastReply: NodeReply | undefined = deletes.round.replyOf(nodeIndex);
  let mayComeYet = isUnderWay(ended, nodeIndex);
  try {
    for (let repeat = 1; repeat <= REPEATS_MAX && mustRepeat(lastReply, mayComeYet); repeat++) {
      const pauseMs = REPEAT_BACKOFF.baseMs + backoffMs(REPEAT_BACKOFF, repeat, yield* drawFraction());
      const nextAtMs = (yield* now()) + pauseMs;
      if (nextAtMs >= giveUpAtMs) break;
      yield* sleepUntil(nextAtMs);
      if (mayComeYet) mayComeYet = !(yield* endConnection(deletes, nodeIndex, rules));
      lastReply = yield* askOne(deletes, { nodeIndex, command }, rules);
      if (lastReply === undefined) break;
    }
  } catch {
    // The driver is being closed.
  }
  return { orphanCount: lastReply === undefined || lastReply.kind === "unknown" ? 1 : 0 };
}

/** Whether the acquire's connection is known to have ended on the server. */
function* endConnection(deletes: Deletes, nodeIndex: number, rules: Rules): Procedure<boolean> {
  const { resource, value } = deletes.ended;
  const command: EndConnectionCommand = { kind: "end-connection", resource, value };
  const reply = yield* askOne(deletes, { nodeIndex, command }, rules);
  return reply?.kind === "granted";
}

/** `undefined`: no answer until the value does not matter any more. */
function* askOne(
  { giveUpAtMs }: Deletes,
  { nodeIndex, command }: { readonly nodeIndex: number; readonly command: SentCommand },
  rules: Rules,
): Procedure<NodeReply | undefined> {
  const answer = new Round(rules.nodeNames, yield* now());
  yield* send(answer, nodeIndex, { command, untilMs: giveUpAtMs });
  yield* receive(answer, giveUpAtMs);
  return answer.replyOf(nodeIndex);
}

/**
 * Whether the answer to a delete leaves it open that the value is, or comes, on the node.
 *
 * @param mayComeYet the acquire may still run.
 */
function mustRepeat(answer: NodeReply | undefined, mayComeYet: boolean): boolean {
  if (answer === undefined || answer.kind === "granted") return false;
  return answer.kind === "unknown" || mayComeYet;
}

function unconfirmedCount({ ended, round }: Deletes): number {
  let count = 0;
  for (let nodeIndex = 0; nodeIndex < round.nodeCount; nodeIndex++) {
    if (round.replyOf(nodeIndex) === undefined && canHold(ended, nodeIndex)) count += 1;
  }
  return count;
}

/** A node that refused the value, or was never sent it, does not hold it. */
function canHold({ acquired, reseeds }: EndedValue, nodeIndex: number): boolean {
  if (reseeds?.canHold(nodeIndex) === true) return true;
  const reply = acquired.replyOf(nodeIndex);
  return reply === undefined || reply.kind === "granted" || hasBroken(reply);
}

/** The connection broke under the acquire, or a re-seed: it may run at any time until it is too late for it. */
function isUnderWay({ acquired, reseeds }: EndedValue, nodeIndex: number): boolean {
  return reseeds?.isUnderWay(nodeIndex) === true || hasBroken(acquired.replyOf(nodeIndex));
}

function hasBroken(reply: NodeReply | undefined): boolean {
  return reply?.kind === "unknown" && reply.mayHaveRun;
}
