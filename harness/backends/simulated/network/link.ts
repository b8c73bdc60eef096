/**
 * A worker's link to one node: the connection that stands, reconnects as the coordinator's own client makes them,
 * and the faults between. It is the `send` of a `LockNode` in the virtual world.
 */
import type { EndConnectionCommand } from "../../../../src/ports/command.ts";
import type { NodeReply } from "../../../../src/ports/reply.ts";
import { reconnectPauseMs } from "../../../../src/redis/reconnect-pause.ts";
import type { LinkDirection } from "../../../faults/fault.ts";
import type { LinkFault } from "../../../faults/fault-families.ts";
import type { RandomStream } from "../../../random/random-stream.ts";
import type { LabCommand } from "../../../strategies/lab-command.ts";
import type { EventQueue } from "../event-queue.ts";
import type { VirtualProcess } from "../process/virtual-process.ts";
import type { VirtualNode } from "../virtual-node.ts";
import { Connection, type Settle } from "./connection.ts";
import type { MessageScript } from "./message-script.ts";
import { Wire } from "./wire.ts";

export interface LinkParts {
  readonly queue: EventQueue;
  readonly process: VirtualProcess;
  readonly node: VirtualNode;
  readonly random: RandomStream;
  readonly script?: MessageScript | undefined;
}

/** Commands that may be outstanding, as with the real client; deletes take back what was sent and get more room. */
const OUTSTANDING_MAX = 10_000;
const OUTSTANDING_DELETES_MAX = 2 * OUTSTANDING_MAX;
const NOT_ENDED = "the old connection was not ended";

/** What takes something back, and waits for a node that is away. */
interface HeldCommand {
  readonly command: LabCommand;
  readonly settle: Settle;
  readonly untilMs: number;
}

export class Link {
  readonly #parts: LinkParts;
  readonly #request: Wire;
  readonly #reply: Wire;
  readonly #refusedFor = new Set<string>();
  #connection: Connection | undefined;
  /** In the order in which they came. */
  #held: HeldCommand[] = [];
  /** The connection on which the acquire of a value was under way when it broke. */
  readonly #brokenUnder = new Map<string, Connection>();
  /** Tries since the last connection stood. */
  #tryCount = 0;
  #whyAway = "not connected";

  /** Stands from the start: workers have talked to every node before a story begins. */
  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#request = new Wire(parts.random.fork("request"), parts.script);
    this.#reply = new Wire(parts.random.fork("reply"), parts.script);
    this.#stand();
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /**
   * As `LockNode.send`: never throws, and settles at most once, later than this call returns.
   *
   * @param untilMs on the process's clock: so long a command that takes something back waits for a connection.
   */
  send(command: LabCommand, settle: Settle, untilMs = 0): void {
    const takesBack = command.kind === "delete" || command.kind === "end-connection";
    const outstandingMax = takesBack ? OUTSTANDING_DELETES_MAX : OUTSTANDING_MAX;
    const outstandingCount = this.#held.length + (this.#connection?.outstandingCount ?? 0);
    if (outstandingCount >= outstandingMax) {
      this.#refuse(settle, `${outstandingCount} commands are waiting for this node already`);
    } else if (this.#connection !== undefined) {
      this.#write(command, settle, this.#connection);
    } else if (takesBack && this.#parts.process.nowMs() < untilMs) {
      this.#held.push({ command, settle, untilMs });
    } else {
      this.#refuse(settle, this.#whyAway);
    }
  }

  apply(faultId: string, fault: LinkFault): void {
    if (fault.kind === "reset-link" || isRefusal(fault)) {
      if (fault.kind !== "reset-link") this.#refusedFor.add(faultId);
      this.#connection?.close();
      return;
    }
    for (const wire of this.#wiresOf(fault.direction ?? "both")) lay(fault, faultId, wire);
  }

  heal(faultId: string, fault: LinkFault): void {
    this.#refusedFor.delete(faultId);
    this.#request.heal(faultId);
    this.#reply.heal(faultId);
    if (fault.kind === "slow-link") this.#connection?.hurry();
    // Half a command could have been lost: whoever ends a loss ends the connection, as the proxies do.
    if (fault.kind === "cut-link" && !isRefusal(fault)) this.#connection?.close();
  }

  #wiresOf(direction: LinkDirection): readonly Wire[] {
    if (direction === "both") return [this.#request, this.#reply];
    return [direction === "request" ? this.#request : this.#reply];
  }

  #write(command: LabCommand, settle: Settle, connection: Connection): void {
    if (command.kind === "end-connection") this.#endConnection(command, settle, connection);
    else connection.send(command, settle);
  }

  /** As the coordinator's own client does it: only of the same server, and only where it is known which it was. */
  #endConnection(command: EndConnectionCommand, settle: Settle, connection: Connection): void {
    const broken = this.#brokenUnder.get(command.value);
    if (broken?.isOfSameServer(connection) === true) connection.send(command, settle, broken);
    else this.#refuse(settle, NOT_ENDED);
  }

  #refuse(settle: Settle, cause: string): void {
    const { queue, process } = this.#parts;
    const reply: NodeReply = { kind: "unknown", cause, mayHaveRun: false };
    queue.at(queue.nowMs, () => process.receive(() => settle(reply)));
  }

  #stand(): void {
    this.#tryCount = 0;
    const { queue, process, node } = this.#parts;
    const [request, reply] = [this.#request, this.#reply];
    const onLost = (underWay: readonly LabCommand[]): void => this.#lose(connection, underWay);
    const connection: Connection = new Connection({ queue, process, node, request, reply, onLost });
    this.#connection = connection;
    this.#sendHeld(connection);
  }

  #sendHeld(connection: Connection): void {
    const held = this.#held;
    this.#held = [];
    for (const { command, settle, untilMs } of held) {
      if (this.#parts.process.nowMs() < untilMs) this.#write(command, settle, connection);
      else this.#refuse(settle, this.#whyAway);
    }
  }

  #lose(connection: Connection, underWay: readonly LabCommand[]): void {
    for (const command of underWay) {
      if (command.kind === "acquire") this.#brokenUnder.set(command.value, connection);
    }
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#whyAway = "the connection was closed";
    this.#tryLater();
  }

  /** Tries follow each other for as long as the run lasts, with a pause before each. */
  #tryLater(): void {
    const { process } = this.#parts;
    this.#tryCount += 1;
    process.at(process.nowMs() + reconnectPauseMs(this.#tryCount), () => this.#try());
  }

  /** A connection is let in by the near end of the link, lossy or not, where the node listens. */
  #try(): void {
    const { queue, process, node } = this.#parts;
    const roundTripMs = this.#request.drawBaseDelayMs() + this.#reply.drawBaseDelayMs();
    queue.at(queue.nowMs + roundTripMs, () => {
      process.receive(() => {
        if (this.#refusedFor.size === 0 && node.isListening) this.#stand();
        else this.#fail();
      });
    });
  }

  #fail(): void {
    this.#whyAway = "the connection was refused";
    this.#tryLater();
  }
}

function lay(fault: Exclude<LinkFault, { kind: "reset-link" }>, faultId: string, wire: Wire): void {
  switch (fault.kind) {
    case "cut-link":
      wire.lose(faultId);
      return;
    case "lossy-link":
      wire.loseSome(faultId, fault.share);
      return;
    case "slow-link":
      wire.slow(faultId, { latencyMs: fault.latencyMs, jitterMs: fault.jitterMs ?? 0 });
      return;
  }
}

function isRefusal(fault: LinkFault): boolean {
  return fault.kind === "cut-link" && fault.how === "refuse";
}
