/**
 * A worker's line to something that is not on trial: the protected resource, the counter of fencing tokens. It has
 * the delay of every link, what is asked may be made to take longer, and it keeps the order of what is asked.
 */
import type { RandomStream } from "../../../random/random-stream.ts";
import type { EventQueue } from "../event-queue.ts";
import type { VirtualProcess } from "../process/virtual-process.ts";
import { Wire } from "./wire.ts";

export class ServiceLine {
  readonly #queue: EventQueue;
  readonly #process: VirtualProcess;
  readonly #request: Wire;
  readonly #reply: Wire;
  #requestsArriveFromMs = 0;
  #repliesArriveFromMs = 0;

  constructor(parts: {
    readonly queue: EventQueue;
    readonly process: VirtualProcess;
    readonly random: RandomStream;
  }) {
    this.#queue = parts.queue;
    this.#process = parts.process;
    this.#request = new Wire(parts.random.fork("request"));
    this.#reply = new Wire(parts.random.fork("reply"));
  }

  /** From now on a question takes `latencyMs` longer to arrive. */
  slow(faultId: string, latencyMs: number): void {
    this.#request.slow(faultId, { latencyMs, jitterMs: 0 });
  }

  heal(faultId: string): void {
    this.#request.heal(faultId);
  }

  /** `serve` runs when the question arrives, whatever has become of the worker; `settle` when the answer does. */
  ask<Answer>(serve: () => Answer, settle: (answer: Answer) => void): void {
    const queue = this.#queue;
    const servedAtMs = Math.max(
      queue.nowMs + (this.#request.drawTravelMs() ?? 0),
      this.#requestsArriveFromMs,
    );
    this.#requestsArriveFromMs = servedAtMs;
    queue.at(servedAtMs, () => {
      const answer = serve();
      const answeredAtMs = Math.max(
        queue.nowMs + (this.#reply.drawTravelMs() ?? 0),
        this.#repliesArriveFromMs,
      );
      this.#repliesArriveFromMs = answeredAtMs;
      queue.at(answeredAtMs, () => this.#process.receive(() => settle(answer)));
    });
  }
}
