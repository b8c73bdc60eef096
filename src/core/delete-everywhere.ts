/**
 * Deleting an ended value on every node it was ever sent to (design rule 4). A silent node is waited for:
 * its connection keeps the order of commands, so the delete runs right behind the command it takes back. On
 * a node that gave no usable answer the delete is repeated until the key cannot be alive any more.
 *
 * Not here yet: ending the old connection on the server (CLIENT KILL) and sweeps of nodes that were away;
 * they belong to the repetition below.
 */
import type { DeleteCommand } from "../ports/command.ts";
import type { DetachedResult, Procedure } from "../ports/effect.ts";
import { backoffMs, type Backoff } from "./backoff.ts";
import { detach, drawFraction, now, receive, send, sleepUntil } from "./effects.ts";
import { askAll } from "./fan-out.ts";
import { Round } from "./round.ts";
import type { Rules } from "./rules.ts";

/** A value that nobody believes in any more, and how long its keys can live. */
export interface EndedValue {
  readonly resource: string;
  readonly value: string;
  readonly ttlMs: number;
}

/** Deletes that have been sent, and until when they matter. */
export interface Deletes {
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
  const command: DeleteCommand = { kind: "delete", resource: ended.resource, value: ended.value };
  const giveUpAtMs = round.startedAtMs + ended.ttlMs + rules.longestDelayMs;
  yield* askAll(round, { command, untilMs: giveUpAtMs });
  return { round, command, giveUpAtMs };
}

/** Takes back a lost acquire attempt: detached, so that nobody waits for it. */
export function* undo(ended: EndedValue, rules: Rules): Procedure<DetachedResult> {
  return yield* followDeletes(yield* sendDeletes(ended, rules), rules);
}

/** Sees sent deletes through; what is never confirmed is counted as orphans. */
export function* followDeletes(deletes: Deletes, rules: Rules): Procedure<DetachedResult> {
  const { round, giveUpAtMs } = deletes;
  const repeated = new Set<number>();
  for (;;) {
    for (let nodeIndex = 0; nodeIndex < round.nodeCount; nodeIndex++) {
      if (repeated.has(nodeIndex) || round.replyOf(nodeIndex)?.kind !== "unknown") continue;
      repeated.add(nodeIndex);
      yield* detach(repeatDelete(deletes, nodeIndex, rules));
    }
    if (round.silentCount === 0) return { orphanCount: 0 };
    if ((yield* receive(round, giveUpAtMs)) === "deadline") return { orphanCount: round.silentCount };
  }
}

function* repeatDelete(deletes: Deletes, nodeIndex: number, rules: Rules): Procedure<DetachedResult> {
  const { command, giveUpAtMs } = deletes;
  for (let repeat = 1; repeat <= REPEATS_MAX; repeat++) {
    const pauseMs = REPEAT_BACKOFF.baseMs + backoffMs(REPEAT_BACKOFF, repeat, yield* drawFraction());
    const nextAtMs = (yield* now()) + pauseMs;
    if (nextAtMs >= giveUpAtMs) break;
    yield* sleepUntil(nextAtMs);
    const answer = new Round(rules.nodeNames, nextAtMs);
    yield* send(answer, nodeIndex, { command, untilMs: giveUpAtMs });
    if ((yield* receive(answer, giveUpAtMs)) === "deadline") break;
    if (answer.unknownCount === 0) return { orphanCount: 0 };
  }
  return { orphanCount: 1 };
}
