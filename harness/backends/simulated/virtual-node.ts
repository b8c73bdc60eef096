/**
 * A node on the virtual network: the simulated server, the connections that stand, and a queue for what comes
 * while it stands still.
 */
import type { LockCommand } from "../../../src/ports/command.ts";
import type { NodeReply } from "../../../src/ports/reply.ts";
import type { EventBody, NodeName } from "../../history/event.ts";
import type { SimulatedNode } from "./node/simulated-node.ts";

/** The node's end of a connection. */
export interface NodeEnd {
  /** Told that the node's process has gone. */
  endThere(): void;
}

export type Answer = (reply: NodeReply) => void;

export interface VirtualNodeParts {
  readonly name: NodeName;
  readonly server: SimulatedNode;
  readonly record: (body: EventBody) => void;
  /** Called when a command has run, before its answer leaves: a fault may come in between. */
  readonly afterCommand: () => void;
}

export class VirtualNode {
  readonly name: NodeName;
  readonly server: SimulatedNode;
  readonly #parts: VirtualNodeParts;
  readonly #ends = new Set<NodeEnd>();
  /** What came while the node stood still; bounded by what the connections let through. */
  #waiting: { readonly command: LockCommand; readonly answer: Answer }[] = [];
  #isStalled = false;
  #lifeCount = 1;

  constructor(parts: VirtualNodeParts) {
    this.name = parts.name;
    this.server = parts.server;
    this.#parts = parts;
  }

  /** True where a new connection is let in; also by a process that stands still. */
  get isListening(): boolean {
    return this.server.isUp;
  }

  /** Grows whenever the process dies: what was sent to an earlier one reaches nobody. */
  get lifeCount(): number {
    return this.#lifeCount;
  }

  accept(end: NodeEnd): void {
    this.#ends.add(end);
  }

  forget(end: NodeEnd): void {
    this.#ends.delete(end);
  }

  /** Runs a command that has arrived, or keeps it until the process goes on. */
  take(command: LockCommand, answer: Answer): void {
    if (this.#isStalled) this.#waiting.push({ command, answer });
    else this.#run(command, answer);
  }

  goDown(cause: "killed" | "power-loss"): void {
    this.#isStalled = false;
    this.#waiting = [];
    this.#lifeCount += 1;
    this.server.goDown(cause);
    const ends = [...this.#ends];
    this.#ends.clear();
    for (const end of ends) end.endThere();
  }

  stall(): void {
    this.#isStalled = this.server.isUp;
    this.#parts.record({ kind: "node-stalled", node: this.name });
  }

  resume(): void {
    this.#isStalled = false;
    this.#parts.record({ kind: "node-resumed", node: this.name });
    const waiting = this.#waiting;
    this.#waiting = [];
    // A fault may stop it again in between: the rest then waits on.
    for (const { command, answer } of waiting) this.take(command, answer);
  }

  #run(command: LockCommand, answer: Answer): void {
    const reply = this.server.execute(command);
    this.#parts.afterCommand();
    answer(reply);
  }
}
