import type { NodeReply, RefusalReason } from "../ports/reply.ts";
import type { ReplyRecord } from "../ports/effect.ts";
import type { Vote } from "../ports/vote.ts";

interface Answer {
  readonly reply: NodeReply;
  readonly atMs: number;
}

/**
 * One fan-out and the replies to its commands. Every round has a record of its own, so a late reply updates
 * the round it belongs to and can never be counted for another (design rule 2, scenario S65).
 */
export class Round implements ReplyRecord {
  /** Monotonic time before the first command left. */
  readonly startedAtMs: number;
  readonly #nodeNames: readonly string[];
  readonly #answers: (Answer | undefined)[];
  #replyCount = 0;
  #news = false;

  constructor(nodeNames: readonly string[], startedAtMs: number) {
    this.startedAtMs = startedAtMs;
    this.#nodeNames = nodeNames;
    this.#answers = new Array<Answer | undefined>(nodeNames.length).fill(undefined);
  }

  get nodeCount(): number {
    return this.#nodeNames.length;
  }

  get hasNews(): boolean {
    return this.#news;
  }

  takeNews(): void {
    this.#news = false;
  }

  /** The first reply of a node stays; a repeated one is ignored. */
  settle(nodeIndex: number, reply: NodeReply, atMs: number): void {
    if (this.#answers[nodeIndex] !== undefined) return;
    this.#answers[nodeIndex] = { reply, atMs };
    this.#replyCount += 1;
    this.#news = true;
  }

  replyOf(nodeIndex: number): NodeReply | undefined {
    return this.#answers[nodeIndex]?.reply;
  }

  /** Nodes that have not answered yet. */
  get silentCount(): number {
    return this.nodeCount - this.#replyCount;
  }

  get grantedCount(): number {
    return this.#count((reply) => reply.kind === "granted");
  }

  /** Nodes that gave no usable answer. */
  get unknownCount(): number {
    return this.#count((reply) => reply.kind === "unknown");
  }

  refusedCount(...reasons: readonly RefusalReason[]): number {
    return this.#count((reply) => reply.kind === "refused" && reasons.includes(reply.reason));
  }

  /** Nodes that might have voted: they are neither out of reach nor kept from it by their guard. */
  get voterCount(): number {
    return this.#count(
      (reply) =>
        reply.kind === "granted" ||
        (reply.kind === "refused" && reply.reason !== "quarantined" && reply.reason !== "mismatched"),
    );
  }

  /** When the quarantines end that were met, on the caller's clock, the first to end first. */
  get quarantineEndsMs(): readonly number[] {
    const ends: number[] = [];
    for (const answer of this.#answers) {
      if (answer?.reply.kind !== "refused" || answer.reply.reason !== "quarantined") continue;
      ends.push(answer.atMs + answer.reply.leftMs);
    }
    return ends.sort((left, right) => left - right);
  }

  /** What each node has said by now; silence is `unknown`. */
  get votes(): readonly Vote[] {
    return this.#nodeNames.map((node, nodeIndex) => this.#voteOf(node, nodeIndex));
  }

  #voteOf(node: string, nodeIndex: number): Vote {
    const answer = this.#answers[nodeIndex];
    if (answer === undefined) return { node, kind: "unknown", cause: "no answer yet" };
    const { reply, atMs } = answer;
    const roundTripMs = atMs - this.startedAtMs;
    if (reply.kind === "unknown") return { node, kind: reply.kind, cause: reply.cause, roundTripMs };
    return { node, ...reply, roundTripMs };
  }

  #count(matches: (reply: NodeReply) => boolean): number {
    let count = 0;
    for (const answer of this.#answers) if (answer !== undefined && matches(answer.reply)) count += 1;
    return count;
  }
}
