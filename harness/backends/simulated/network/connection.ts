/**
 * One connection of a worker to a node, from its making to its end. Each direction keeps the order of its
 * messages; two connections keep none between them. The ends close apart: what was written before the worker's
 * end closed still reaches the node and runs, and nobody hears of it.
 */
import type { NodeReply } from "../../../../src/ports/reply.ts";
import type { LabCommand, LabReply } from "../../../strategies/lab-command.ts";
import type { EventQueue } from "../event-queue.ts";
import type { VirtualProcess } from "../process/virtual-process.ts";
import type { VirtualNode } from "../virtual-node.ts";
import { Lane } from "./lane.ts";
import type { Wire } from "./wire.ts";

export type Settle = (reply: LabReply) => void;

export interface ConnectionParts {
  readonly queue: EventQueue;
  readonly process: VirtualProcess;
  readonly node: VirtualNode;
  readonly request: Wire;
  readonly reply: Wire;
  /** Called when the worker's process notices that the connection has gone. */
  readonly onLost: () => void;
}

const GONE: NodeReply = { kind: "unknown", cause: "the connection was closed", mayHaveRun: true };

export class Connection {
  readonly #parts: ConnectionParts;
  /** Who waits for an answer, in the order of the commands. */
  readonly #outstanding = new Set<Settle>();
  readonly #nodeLife: number;
  #isOpenHere = true;
  readonly #requests: Lane;
  readonly #replies: Lane;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#nodeLife = parts.node.lifeCount;
    this.#requests = new Lane(parts.queue, parts.request);
    this.#replies = new Lane(parts.queue, parts.reply);
    parts.node.accept(this);
  }

  get outstandingCount(): number {
    return this.#outstanding.size;
  }

  send(command: LabCommand, settle: Settle): void {
    const { node } = this.#parts;
    this.#outstanding.add(settle);
    this.#requests.send(() => {
      if (this.#isOpenThere) node.take(command, (reply) => this.#answer(settle, reply));
    });
  }

  /** The worker's end is closed at once; what is on its way to the node is not called back. */
  close(): void {
    if (!this.#isOpenHere) return;
    this.#isOpenHere = false;
    this.#parts.process.receive(() => this.#lose());
  }

  /** The node's end has gone with its process; the worker hears of it behind the answers that were sent before. */
  endThere(): void {
    this.#parts.queue.at(this.#replies.nextArrivalMs, () => this.close());
  }

  /** What slowed the link is over. */
  hurry(): void {
    this.#requests.hurry();
    this.#replies.hurry();
  }

  /** The process that let this connection in is still there. */
  get #isOpenThere(): boolean {
    return this.#parts.node.lifeCount === this.#nodeLife;
  }

  #answer(settle: Settle, answer: LabReply): void {
    if (!this.#isOpenThere) return;
    this.#replies.send(() => {
      if (this.#isOpenHere) this.#parts.process.receive(() => this.#settle(settle, answer));
    });
  }

  #settle(settle: Settle, answer: LabReply): void {
    if (this.#outstanding.delete(settle)) settle(answer);
  }

  #lose(): void {
    this.#parts.node.forget(this);
    const outstanding = [...this.#outstanding];
    this.#outstanding.clear();
    this.#parts.onLost();
    for (const settle of outstanding) settle(GONE);
  }
}
