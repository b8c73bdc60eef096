import type { Round } from "./round.ts";

/** Where a value was sent after it had been acquired, and what became of it. */
export class Reseeds {
  readonly #latest = new Map<number, Round>();
  /** Nodes whose connection broke under some re-seed. */
  readonly #broken = new Set<number>();

  /** One that has not been answered yet must be waited for: it is one a node at a time. */
  isSilent(nodeIndex: number): boolean {
    const latest = this.#latest.get(nodeIndex);
    return latest !== undefined && latest.replyOf(nodeIndex) === undefined;
  }

  note(nodeIndex: number, answer: Round): void {
    if (this.isUnderWay(nodeIndex)) this.#broken.add(nodeIndex);
    this.#latest.set(nodeIndex, answer);
  }

  canHold(nodeIndex: number): boolean {
    return this.isSilent(nodeIndex) || this.isUnderWay(nodeIndex) || this.#replyKind(nodeIndex) === "granted";
  }

  /** It may run at any time, on a connection that has broken here. */
  isUnderWay(nodeIndex: number): boolean {
    const reply = this.#latest.get(nodeIndex)?.replyOf(nodeIndex);
    return this.#broken.has(nodeIndex) || (reply?.kind === "unknown" && reply.mayHaveRun);
  }

  #replyKind(nodeIndex: number): string | undefined {
    return this.#latest.get(nodeIndex)?.replyOf(nodeIndex)?.kind;
  }
}
