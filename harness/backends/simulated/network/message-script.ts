/**
 * What becomes of each message between workers and nodes, where a plan says so: messages are counted in the order
 * in which they are sent, over all links and both ways.
 */
import type { MessagePlan } from "../../../scenario/run-plan.ts";

export class MessageScript {
  readonly promptMs: number;
  readonly lateMs: number;
  readonly #unprompt: ReadonlyMap<number, "late" | "lost">;
  #count = 0;

  constructor({ promptMs, lateMs, unprompt }: MessagePlan) {
    this.promptMs = promptMs;
    this.lateMs = lateMs;
    this.#unprompt = new Map(unprompt.map(({ message, fate }) => [message, fate]));
  }

  /** How many messages have been sent so far. */
  get count(): number {
    return this.#count;
  }

  nextFate(): "prompt" | "late" | "lost" {
    const fate = this.#unprompt.get(this.#count) ?? "prompt";
    this.#count += 1;
    return fate;
  }
}
