/**
 * One node on one ioredis connection of its own, so that commands run in the order in which they were sent.
 * It never rejects and never sends a command twice.
 *
 * On each connection the server is asked first which of its processes it is and how it calls the connection; until that
 * is answered commands wait. The amnesia guard cannot be checked without the one (design rule 8), and a connection that
 * broke cannot be ended by its successor without both (rule 4).
 */
import type { Redis } from "ioredis";
import type { EndConnectionCommand, GuardCommand, LockCommand, SentCommand } from "../ports/command.ts";
import type { LockNode } from "../ports/node.ts";
import type { NodeEvent } from "../ports/node-event.ts";
import type { GivenAs, NodeReport } from "../ports/node-facts.ts";
import type { NodeLook } from "../ports/node-look.ts";
import type { NodeReply } from "../ports/reply.ts";
import { askWithin, whyNoAnswerText } from "./ask-within.ts";
import { BrokenConnections } from "./broken-connections.ts";
import { CommandWriter } from "./command-writer.ts";
import { failureText } from "./failure-text.ts";
import { NodeGuard } from "./guard/node-guard.ts";
import { CompareForms } from "./compare-forms.ts";
import { lookAtKey } from "./look-at-key.ts";
import { NodePresence } from "./node-presence.ts";
import { type HeldCommand, HeldCommands, type Settle, takesBack } from "./held-commands.ts";
import { cannotEnd, endOnServer, readServerConnection, type ServerConnection } from "./server-connection.ts";
import { FactsAsker } from "./probe/facts-asker.ts";
import { isServerError, replyFromFailure, replyFromWire } from "./wire.ts";

/** Commands that may be outstanding; beyond it a silent node is not sent any more acquires and extensions. */
const OUTSTANDING_MAX = 10_000;
/** Deletes take back what was sent, so they get twice the room. */
const OUTSTANDING_DELETES_MAX = 2 * OUTSTANDING_MAX;
/** How long `close` waits for the connection to end. */
const CLOSE_TIMEOUT_MS = 2000;

/** `first`: no connection has been made or refused yet. `greeting`: it has been made, and the server was asked. */
type State =
  | { readonly kind: "first" | "away" | "greeting" }
  | { readonly kind: "open"; readonly connection: ServerConnection };

const AWAY: State = { kind: "away" };

/** How a node comes to its connection. */
interface Opening {
  readonly givenAs: GivenAs;
  /** Its user says that what it answers for outlives its process. */
  readonly isDeclaredDurable?: boolean;
  /** False: no scripts are sent; default true. */
  readonly wantsScripts?: boolean;
  /**
   * Makes a client under `CONNECTION_OPTIONS` that nobody else uses; where it connects to, and as whom, is its own
   * affair.
   */
  readonly openClient: () => Redis;
}

/** A `LockNode` on a real connection. */
export class RedisNode implements LockNode {
  readonly name: string;
  readonly #client: Redis;
  readonly #writer: CommandWriter;
  readonly #factsAsker: FactsAsker;
  readonly #nowMs: () => number;
  readonly #held = new HeldCommands();
  readonly #broken = new BrokenConnections();
  readonly #guard: NodeGuard;
  readonly #forms: CompareForms;
  readonly #isDeclaredDurable: boolean;
  readonly #presence: NodePresence;
  readonly #listeners: ((event: NodeEvent) => void)[] = [];
  readonly #ends = new Map<ServerConnection, Promise<NodeReply>>();
  #state: State = { kind: "first" };
  #outstandingCount = 0;
  #whyAway = "not connected";

  constructor(
    name: string,
    { givenAs, openClient, isDeclaredDurable = false, wantsScripts = true }: Opening,
    nowMs: () => number,
  ) {
    this.name = name;
    this.#nowMs = nowMs;
    this.#client = openClient();
    this.#writer = new CommandWriter(this.#client);
    this.#isDeclaredDurable = isDeclaredDurable;
    this.#forms = new CompareForms({ wantsScripts });
    this.#guard = new NodeGuard({
      wantsScripts,
      nowMs,
      warn: (message) => {
        this.#tell({ kind: "node-warning", node: name, message: `node ${name} ${message}` });
      },
    });
    this.#presence = new NodePresence(name, (event) => {
      this.#tell(event);
    });
    const whyAway = (): string => this.#whyAway;
    this.#factsAsker = new FactsAsker({ node: name, client: this.#client, givenAs, whyAway });
    this.#client.on("error", (error: Error) => {
      this.#whyAway = failureText(error.message);
    });
    this.#client.on("ready", () => {
      this.#whyAway = "the connection was closed";
      void this.#greet();
    });
    this.#client.on("close", () => {
      this.#state = AWAY;
      this.#drop(({ command }) => !takesBack(command));
      this.#presence.goAway(this.#whyAway);
    });
  }

  send(command: SentCommand, untilMs: number, settle: Settle): void {
    const outstandingMax = takesBack(command) ? OUTSTANDING_DELETES_MAX : OUTSTANDING_MAX;
    if (this.#outstandingCount >= outstandingMax) this.#drop((held) => held.untilMs <= this.#nowMs());
    if (this.#outstandingCount >= outstandingMax) {
      this.#refuse(settle, `${String(this.#outstandingCount)} commands are waiting for this node already`);
    } else if (this.#state.kind === "open" && this.#client.status === "ready") {
      this.#outstandingCount += 1;
      this.#write(command, this.#state.connection, settle);
    } else if (this.#isHeldBack(command, untilMs)) {
      this.#outstandingCount += 1;
      this.#held.push({ command, untilMs, settle });
    } else {
      this.#refuse(settle, this.#whyAway);
    }
  }

  observe(listener: (event: NodeEvent) => void): void {
    this.#listeners.push(listener);
  }

  askFacts(limitMs: number): Promise<NodeReport> {
    return this.#factsAsker.ask(limitMs);
  }

  look(resource: string, limitMs: number): Promise<NodeLook> {
    const { name: node } = this;
    return askWithin<NodeLook>({
      client: this.#client,
      limitMs,
      ask: () => lookAtKey({ client: this.#client, node, resource }),
      giveUp: (why) => ({ kind: "unknown", node, cause: whyNoAnswerText(why, this.#whyAway) }),
    });
  }

  async close(): Promise<void> {
    const { status } = this.#client;
    const isOpen = status === "ready" || status === "connect" || status === "connecting";
    this.#presence.close();
    this.#writer.flush();
    this.#client.disconnect();
    if (isOpen) await this.#ended();
    this.#state = AWAY;
    this.#drop(() => true);
  }

  /** Resolves at the end of the connection, or after the time limit: a frozen server must not hold us up. */
  #ended(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      this.#client.once("end", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Bounded by the connection: whatever ends it settles the questions too. */
  async #greet(): Promise<void> {
    const greeting: State = { kind: "greeting" };
    this.#state = greeting;
    const connection = await readServerConnection(this.#client, {
      isDeclaredDurable: this.#isDeclaredDurable,
    });
    if (this.#state !== greeting || this.#client.status !== "ready") return;
    this.#state = { kind: "open", connection };
    this.#guard.meet(connection);
    this.#forms.meet();
    this.#ends.clear();
    this.#drop(({ untilMs }) => untilMs <= this.#nowMs());
    for (const { command, settle } of this.#held.take(() => true)) this.#write(command, connection, settle);
    this.#presence.comeBack();
  }

  #isHeldBack(command: SentCommand, untilMs: number): boolean {
    if (this.#state.kind === "first" || this.#state.kind === "greeting") return true;
    return takesBack(command) && this.#nowMs() < untilMs;
  }

  /** Held commands that are not to be written any more. */
  #drop(isOver: (held: HeldCommand) => boolean): void {
    for (const { settle } of this.#held.take(isOver)) {
      this.#settle(settle, { kind: "unknown", cause: this.#whyAway, mayHaveRun: false });
    }
  }

  #write(command: SentCommand, connection: ServerConnection, settle: Settle): void {
    if (command.kind === "end-connection") {
      void this.#endConnection(command, connection).then((reply) => {
        this.#settle(settle, reply);
      });
      return;
    }
    const judgement = this.#guard.judge(command, connection);
    if (judgement.kind === "answer") {
      this.#answerLater(settle, judgement.reply);
      return;
    }
    const { runId = "", durability } = connection;
    const spelled = this.#forms.spell(judgement.command, { runId, durability });
    if (spelled.name === undefined) {
      this.#answerLater(settle, { kind: "unknown", cause: spelled.obstacle, mayHaveRun: false });
      return;
    }
    this.#writer.write(
      spelled,
      (answer) => {
        const reply = replyFromWire(command.kind, answer);
        this.#settle(
          settle,
          this.#guard.complete(reply, { command, written: judgement.command, connection }),
        );
      },
      (failure) => {
        if (isServerError(failure)) {
          this.#guard.noteError(command, failure.message);
          if (this.#forms.noteError(spelled, failure.message) && this.#isOpenOn(connection)) {
            this.#write(command, connection, settle);
            return;
          }
        }
        const reply = replyFromFailure(failure, this.#whyAway);
        this.#noteBroken(command, connection, reply);
        this.#settle(settle, reply);
      },
    );
  }

  #isOpenOn(connection: ServerConnection): boolean {
    return (
      this.#state.kind === "open" && this.#state.connection === connection && this.#client.status === "ready"
    );
  }

  #noteBroken(command: LockCommand | GuardCommand, connection: ServerConnection, reply: NodeReply): void {
    if (command.kind === "acquire" && reply.kind === "unknown" && reply.mayHaveRun) {
      this.#broken.note(command.value, connection);
    }
  }

  /** Each connection is ended once, whoever of those that were under way on it asks first. */
  async #endConnection({ value }: EndConnectionCommand, successor: ServerConnection): Promise<NodeReply> {
    const broken = this.#broken.find(value);
    if (broken === undefined) return cannotEnd("it is not known which it was");
    let end = this.#ends.get(broken);
    if (end === undefined) {
      end = endOnServer(this.#client, { broken, successor });
      this.#ends.set(broken, end);
    }
    const reply = await end;
    if (reply.kind === "granted") this.#broken.forget(value);
    return reply;
  }

  /** Later than `send` returns, as the port promises. */
  #refuse(settle: Settle, cause: string): void {
    queueMicrotask(() => {
      settle({ kind: "unknown", cause, mayHaveRun: false });
    });
  }

  #answerLater(settle: Settle, reply: NodeReply): void {
    queueMicrotask(() => {
      this.#settle(settle, reply);
    });
  }

  #tell(event: NodeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #settle(settle: Settle, reply: NodeReply): void {
    this.#outstandingCount -= 1;
    settle(reply);
  }
}
