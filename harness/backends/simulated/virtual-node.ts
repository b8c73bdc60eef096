/**
 * A node on the virtual network: the simulated server, the connections that stand, and a queue for what comes
 * while it stands still.
 */
import { GRANTED, type NodeReply } from "../../../src/ports/reply.ts";
import type { LabCommand, LabReply } from "../../strategies/lab-command.ts";
import type { EventBody, NodeName } from "../../history/event.ts";
import type { Fault } from "../../faults/fault.ts";
import type { Replication } from "./node/replication.ts";
import type { SimulatedNode } from "./node/simulated-node.ts";

/** The node's end of a connection. */
export interface NodeEnd {
  /** Told that the node's process has gone. */
  endThere(): void;
  /** Told that the node has closed it, with what had not been run. */
  cutThere(): void;
}

/** What somebody else does to a node's memory. */
type MeddlingFault = Extract<
  Fault,
  { readonly kind: "flush-node" | "flush-scripts" | "evict-key" | "delete-key" }
>;

/** A command that has arrived, and the way back for its answer. */
export interface Question {
  readonly command: LabCommand;
  /** The connection that `end-connection` is about. */
  readonly other?: NodeEnd | undefined;
  answer(reply: LabReply): void;
}
const KILL_DENIED: NodeReply = {
  kind: "unknown",
  cause: "NOPERM this user has no permissions to run the 'client|kill' command",
  mayHaveRun: false,
};

export interface VirtualNodeParts {
  readonly name: NodeName;
  readonly server: SimulatedNode;
  readonly replication: Replication;
  readonly record: (body: EventBody) => void;
  /** Called when a command has run, before its answer leaves: a fault may come in between. */
  readonly afterCommand: () => void;
  /** Workers may end their old connections (CLIENT KILL). */
  readonly endsConnections: boolean;
}

export class VirtualNode {
  readonly name: NodeName;
  readonly server: SimulatedNode;
  readonly #parts: VirtualNodeParts;
  readonly #ends = new Set<NodeEnd>();
  /** What came while the node stood still; bounded by what the connections let through. */
  #waiting: (() => void)[] = [];
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
  take(question: Question): void {
    if (this.#isStalled) this.#waiting.push(() => this.take(question));
    else this.#run(question);
  }

  goDown(cause: "killed" | "power-loss"): void {
    this.#endConnections(() => this.server.goDown(cause));
  }

  /** A new process starts from what was kept; replicas follow it. */
  comeUp(): void {
    if (this.server.isUp) return;
    this.server.comeUp();
    this.#parts.replication.noteRestart(this.server.storedKeys());
  }

  /** The address leads to another, empty server. */
  exchange(): void {
    this.#endConnections(() => this.server.giveWayTo(new Map()));
  }

  /** The master is gone, and a replica takes its place with what it has been sent. */
  failOver(replica: number | undefined): void {
    this.#endConnections(() => this.server.giveWayTo(this.#parts.replication.promote(replica)));
  }

  holdReplication(replica: number, isHeld: boolean): void {
    this.#parts.replication.hold(replica, isHeld);
  }

  /**
   * Somebody who is no worker does something to the keys: when the node goes on, where it stands still; never, where
   * it is down.
   */
  meddle(fault: MeddlingFault): void {
    if (!this.server.isUp) return;
    if (this.#isStalled) this.#waiting.push(() => this.meddle(fault));
    else this.#meddleNow(fault);
  }

  #meddleNow(fault: MeddlingFault): void {
    switch (fault.kind) {
      case "flush-node":
        this.server.flushAll();
        return;
      case "flush-scripts":
        this.server.answer({ kind: "flush-scripts" });
        return;
      case "evict-key":
        this.server.evict(fault.resource);
        return;
      case "delete-key":
        this.server.answer({ kind: "remove", resource: fault.resource });
        return;
    }
  }

  /** Where no process is there, none can be stopped. */
  stall(): void {
    if (!this.server.isUp) return;
    this.#isStalled = true;
    this.#parts.record({ kind: "node-stalled", node: this.name });
  }

  resume(): void {
    if (!this.#isStalled) return;
    this.#isStalled = false;
    this.#parts.record({ kind: "node-resumed", node: this.name });
    const waiting = this.#waiting;
    this.#waiting = [];
    // A fault may stop it again in between: the rest then waits on.
    for (const act of waiting) act();
  }

  /** The process goes, and with it what it had not got to. */
  #endConnections(go: () => void): void {
    this.#isStalled = false;
    this.#waiting = [];
    this.#lifeCount += 1;
    go();
    const ends = [...this.#ends];
    this.#ends.clear();
    for (const end of ends) end.endThere();
  }

  /** The key's value as the first replica has it; a replica shows nothing that has expired. */
  findOnReplica(resource: string): string | undefined {
    const key = this.#parts.replication.find(1, resource);
    return key === undefined || !this.server.isAlive(key) ? undefined : key.value;
  }

  #run(question: Question): void {
    const { command, other } = question;
    if (command.kind === "end-connection") {
      question.answer(this.#end(other));
      return;
    }
    const reply = this.server.execute(command);
    this.#parts.afterCommand();
    if (command.kind !== "acquire-replicated" || reply.kind !== "granted") question.answer(reply);
    else this.#parts.replication.whenAcknowledged(command.replicaCount, () => question.answer(reply));
  }

  /** One connection asks for another one to be closed. */
  #end(other: NodeEnd | undefined): NodeReply {
    if (!this.#parts.endsConnections) return KILL_DENIED;
    other?.cutThere();
    return GRANTED;
  }
}
