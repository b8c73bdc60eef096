/**
 * One connection of a worker to a node, from its making to its end. Each direction keeps the order of its
 * messages; two connections keep none between them. The ends close apart: what was written before the worker's
 * end closed still reaches the node and runs, and nobody hears of it.
 */
import type { NodeReply } from "../../../../src/ports/reply.ts";
import type { LabCommand, LabReply } from "../../../strategies/lab-command.ts";
import type { EventQueue } from "../event-queue.ts";
import type { VirtualProcess } from "../process/virtual-process.ts";
import type { Question, VirtualNode } from "../virtual-node.ts";
import { Lane } from "./lane.ts";
import type { Wire } from "./wire.ts";

export type Settle = (reply: LabReply) => void;

export interface ConnectionParts {
  readonly queue: EventQueue;
  readonly process: VirtualProcess;
  readonly node: VirtualNode;
  readonly request: Wire;
  readonly reply: Wire;
  /** Called when the worker's process notices that the connection has gone, with what was under way on it. */
  readonly onLost: (underWay: readonly LabCommand[]) => void;
}

const GONE: NodeReply = { kind: "unknown", cause: "the connection was closed", mayHaveRun: true };

/** A command, on its way there and then, with its answer, on its way back: one object for both. */
class Exchange implements Question {
  readonly command: LabCommand;
  readonly settle: Settle;
  readonly other: Connection | undefined;
  readonly #sendBack: (exchange: Exchange) => void;
  reply: LabReply = GONE;
  isSettled = false;

  constructor(asked: Pick<Exchange, "command" | "settle" | "other">, sendBack: (exchange: Exchange) => void) {
    this.command = asked.command;
    this.settle = asked.settle;
    this.other = asked.other;
    this.#sendBack = sendBack;
  }

  answer(reply: LabReply): void {
    this.reply = reply;
    this.#sendBack(this);
  }
}

export class Connection {
  readonly #parts: ConnectionParts;
  /** What was sent since the oldest command that still waits for an answer. */
  readonly #outstanding: Exchange[] = [];
  #outstandingCount = 0;
  readonly #nodeLife: number;
  #isOpenHere = true;
  #isCutThere = false;
  readonly #requests: Lane<Exchange>;
  readonly #replies: Lane<Exchange>;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#nodeLife = parts.node.lifeCount;
    this.#requests = new Lane(parts.queue, parts.request, (exchange) => this.#arriveThere(exchange));
    this.#replies = new Lane(parts.queue, parts.reply, (exchange) => this.#arriveHere(exchange));
    parts.node.accept(this);
  }

  get outstandingCount(): number {
    return this.#outstandingCount;
  }

  /** @param other the connection that `end-connection` is about. */
  send(command: LabCommand, settle: Settle, other?: Connection): void {
    const exchange = new Exchange({ command, settle, other }, this.#sendBack);
    this.#outstanding.push(exchange);
    this.#outstandingCount += 1;
    this.#requests.send(exchange);
  }

  /** Both were let in by the same process: it knows the other one by its id. */
  isOfSameServer(other: Connection): boolean {
    return other.#nodeLife === this.#nodeLife;
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

  /** The node reads no more of it. Its successor asked for that, so nobody here is left to be told. */
  cutThere(): void {
    this.#isCutThere = true;
  }

  /** What slowed the link is over. */
  hurry(): void {
    this.#requests.hurry();
    this.#replies.hurry();
  }

  /** The process that let this connection in is still there, and has not closed it. */
  get #isOpenThere(): boolean {
    return !this.#isCutThere && this.#parts.node.lifeCount === this.#nodeLife;
  }

  #arriveThere(exchange: Exchange): void {
    if (this.#isOpenThere) this.#parts.node.take(exchange);
  }

  readonly #sendBack = (exchange: Exchange): void => {
    if (this.#isOpenThere) this.#replies.send(exchange);
  };

  #arriveHere(exchange: Exchange): void {
    if (!this.#isOpenHere) return;
    const { process } = this.#parts;
    if (process.isRunning) this.#settle(exchange);
    else process.receive(() => this.#settle(exchange));
  }

  #settle(exchange: Exchange): void {
    if (exchange.isSettled) return;
    exchange.isSettled = true;
    this.#outstandingCount -= 1;
    while (this.#outstanding[0]?.isSettled === true) this.#outstanding.shift();
    exchange.settle(exchange.reply);
  }

  #lose(): void {
    this.#parts.node.forget(this);
    const lost = this.#outstanding.splice(0).filter(({ isSettled }) => !isSettled);
    this.#outstandingCount = 0;
    for (const exchange of lost) exchange.isSettled = true;
    this.#parts.onLost(lost.map(({ command }) => command));
    for (const { settle } of lost) settle(GONE);
  }
}
