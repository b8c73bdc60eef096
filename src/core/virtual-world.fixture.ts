/**
 * A small virtual world for the procedures' own tests: clients, nodes and links on one virtual clock. Every
 * message's fate is given by the test; each link keeps the order of its messages.
 */
import {
  type EndConnectionCommand,
  type GuardCommand,
  type LockCommand,
  resourcesOf,
  type SentCommand,
} from "../ports/command.ts";
import type { DetachedResult, Effect, Mailbox, Procedure, ReplyRecord, Resumption } from "../ports/effect.ts";
import { FOREIGN, GRANTED, HELD, MISSING, type NodeReply } from "../ports/reply.ts";

/** How long one message and its answer take; `lost` never arrives, `broken` tells that no answer will come. */
export interface Fate {
  readonly requestMs: number | "lost" | "broken";
  /** Of a broken one: the server runs it all the same, so much later. */
  readonly runsAfterMs?: number;
  readonly replyMs: number | "lost";
}

export interface Sent {
  readonly client: number;
  readonly nodeIndex: number;
  readonly command: LockCommand | EndConnectionCommand;
  /** Until when it may be held back. */
  readonly untilMs: number;
  readonly atMs: number;
}

export type FateOf = (sent: Sent, count: number) => Fate;

interface Key {
  readonly value: string;
  expiresAtMs: number;
}

interface Wait {
  readonly resume: (resumption: Resumption) => void;
  readonly record?: Mailbox;
}

const STEPS_MAX = 50_000;

export class VirtualWorld {
  nowMs = 0;
  readonly sent: Sent[] = [];
  readonly nodes: Map<string, Key>[];
  orphanCount = 0;
  /** What a node says to a guarded command instead of a vote, at the time at which it runs. */
  guardReply: (nodeIndex: number, nowMs: number) => NodeReply | undefined = () => undefined;
  /** Nodes that a survey finds guarded, and that trust has guarded. */
  readonly guarded = new Set<number>();
  readonly guardCommands: GuardCommand["kind"][] = [];
  /** What becomes of a survey, and of what follows it. */
  guardFate: (nodeIndex: number) => Fate = () => PROMPT;
  /** Whether the nodes end a client's old connections when it asks for that. */
  endsConnections = false;
  /** Called before each command leaves. */
  onSend: (sent: Sent) => void = () => undefined;
  /** Called after each event. */
  onStep: () => void = () => undefined;
  readonly #fateOf: FateOf;
  readonly #queue: { readonly atMs: number; readonly act: () => void }[] = [];
  /** Of connections that have ended: node and value. */
  readonly #ended = new Set<string>();
  readonly #linkFreeAtMs = new Map<string, number>();
  readonly #pausedUntilMs = new Map<number, number>();
  #valueCount = 0;
  readonly #fractions: readonly number[];
  #fractionCount = 0;

  constructor(options: {
    readonly nodeCount: number;
    readonly fateOf: FateOf;
    readonly fractions?: readonly number[];
  }) {
    this.nodes = Array.from({ length: options.nodeCount }, () => new Map<string, Key>());
    this.#fateOf = options.fateOf;
    this.#fractions = options.fractions ?? [0.5];
  }

  at(atMs: number, act: () => void): void {
    const event = { atMs: Math.max(atMs, this.nowMs), act };
    // A new event stands behind all others of its time.
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#queue[middle]?.atMs ?? 0) <= event.atMs) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, event);
  }

  /** The client is resumed by nothing before that time. */
  pause(client: number, untilMs: number): void {
    this.#pausedUntilMs.set(client, untilMs);
  }

  isLive(nodeIndex: number, resource: string, value: string): boolean {
    const key = this.nodes[nodeIndex]?.get(resource);
    return key?.value === value && key.expiresAtMs > this.nowMs;
  }

  /** Starts a procedure of a client; `onResult` is called in the step in which it ends. */
  start<Result>(client: number, procedure: Procedure<Result>, onResult: (result: Result) => void): void {
    let wait: Wait | undefined;
    const advance = (first: Resumption): void => {
      let resumption: Resumption | undefined = first;
      while (resumption !== undefined) {
        const step: IteratorResult<Effect, Result> = procedure.next(resumption);
        if (step.done === true) {
          onResult(step.value);
          return;
        }
        resumption = perform(step.value);
      }
    };
    const resumeLater = (mine: Wait, atMs: number, resumption: Resumption): void => {
      this.at(atMs, () => {
        const pausedUntilMs = this.#pausedUntilMs.get(client) ?? 0;
        if (pausedUntilMs > this.nowMs) {
          resumeLater(mine, pausedUntilMs, resumption);
        } else if (wait === mine) {
          wait = undefined;
          if (resumption.kind === "reply") mine.record?.takeNews();
          advance(resumption);
        }
      });
    };
    const perform = (effect: Effect): Resumption | undefined => {
      switch (effect.kind) {
        case "now":
          return { kind: "time", nowMs: this.nowMs };
        case "draw-value":
          return { kind: "value", value: `v${String(++this.#valueCount)}` };
        case "draw-fraction":
          return { kind: "fraction", fraction: this.#nextFraction() };
        case "send":
          this.#send(client, effect);
          return { kind: "done" };
        case "detach":
          this.start(client, effect.procedure, ({ orphanCount }: DetachedResult) => {
            this.orphanCount += orphanCount;
          });
          return { kind: "done" };
        case "notify":
          this.#listeners.get(effect.mailbox)?.();
          return { kind: "done" };
        case "receive": {
          if (effect.record.hasNews) {
            effect.record.takeNews();
            return { kind: "reply" };
          }
          const mine: Wait = { resume: advance, record: effect.record };
          wait = mine;
          this.#listeners.set(effect.record, () => {
            resumeLater(mine, this.nowMs, { kind: "reply" });
          });
          resumeLater(mine, effect.untilMs, { kind: "deadline" });
          return undefined;
        }
        case "sleep": {
          wait = { resume: advance };
          resumeLater(wait, effect.untilMs, { kind: "done" });
          return undefined;
        }
        case "draw-token": {
          const mine: Wait = { resume: advance };
          wait = mine;
          const draw = this.tokenDraw();
          if (draw !== undefined) resumeLater(mine, this.nowMs + draw.afterMs, draw.resumption);
          resumeLater(mine, effect.untilMs, { kind: "deadline" });
          return undefined;
        }
      }
    };
    advance({ kind: "done" });
  }

  /** How the next token draw goes; `undefined`: in silence. */
  tokenDraw: () => { readonly afterMs: number; readonly resumption: Resumption } | undefined = () =>
    undefined;

  readonly #listeners = new Map<Mailbox, () => void>();

  /** Lets everything happen up to and including that time. */
  runUntil(atMs: number): void {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const next = this.#queue[0];
      if (next === undefined || next.atMs > atMs) {
        this.nowMs = Math.max(this.nowMs, atMs);
        return;
      }
      this.#queue.shift();
      this.nowMs = next.atMs;
      next.act();
      this.onStep();
    }
    throw new Error("the virtual world does not come to rest");
  }

  #send(client: number, effect: Extract<Effect, { kind: "send" }>): void {
    const { nodeIndex, command, untilMs, record } = effect;
    const { requestMs, replyMs, runsAfterMs } = this.#fateFor({ client, nodeIndex, untilMs }, command);
    if (requestMs === "lost") return;
    if (requestMs === "broken") {
      if (runsAfterMs !== undefined) {
        this.at(this.nowMs + runsAfterMs, () => {
          const isEnded = "value" in command && this.#ended.has(`${String(nodeIndex)} ${command.value}`);
          if (!isEnded) this.#execute(nodeIndex, command);
        });
      }
      this.#settleLater({
        nodeIndex,
        record,
        reply: { kind: "unknown", cause: "broken", mayHaveRun: true },
        atMs: this.nowMs,
      });
      return;
    }
    this.at(this.#onLink(`${String(client)}>${String(nodeIndex)}`, requestMs), () => {
      const reply = this.#execute(nodeIndex, command);
      if (replyMs === "lost") return;
      const atMs = this.#onLink(`${String(client)}<${String(nodeIndex)}`, replyMs);
      this.#settleLater({ nodeIndex, record, reply, atMs });
    });
  }

  #fateFor(to: Pick<Sent, "client" | "nodeIndex" | "untilMs">, command: SentCommand): Fate {
    if (command.kind === "survey" || command.kind === "trust") {
      this.guardCommands.push(command.kind);
      return this.guardFate(to.nodeIndex);
    }
    const sent: Sent = { ...to, command, atMs: this.nowMs };
    this.onSend(sent);
    const fate = this.#fateOf(sent, this.sent.length);
    this.sent.push(sent);
    return fate;
  }

  #settleLater(answer: {
    readonly nodeIndex: number;
    readonly record: ReplyRecord;
    readonly reply: NodeReply;
    readonly atMs: number;
  }): void {
    this.at(answer.atMs, () => {
      answer.record.settle(answer.nodeIndex, answer.reply, this.nowMs);
      this.#listeners.get(answer.record)?.();
    });
  }

  #onLink(link: string, delayMs: number): number {
    const atMs = Math.max(this.nowMs + delayMs, this.#linkFreeAtMs.get(link) ?? 0);
    this.#linkFreeAtMs.set(link, atMs);
    return atMs;
  }

  #endConnection(nodeIndex: number, { value }: EndConnectionCommand): NodeReply {
    if (!this.endsConnections) return { kind: "unknown", cause: "no permission", mayHaveRun: false };
    this.#ended.add(`${String(nodeIndex)} ${value}`);
    return GRANTED;
  }

  #execute(nodeIndex: number, command: SentCommand): NodeReply {
    if (command.kind === "end-connection") return this.#endConnection(nodeIndex, command);
    if (command.kind === "survey" || command.kind === "trust") {
      const reply = this.guarded.has(nodeIndex) ? HELD : GRANTED;
      if (command.kind === "trust") this.guarded.add(nodeIndex);
      return reply;
    }
    const isGuarded = command.kind !== "delete" && command.guard !== undefined;
    const refusal = isGuarded ? this.guardReply(nodeIndex, this.nowMs) : undefined;
    return refusal ?? this.#executeLock(nodeIndex, command);
  }

  #executeLock(nodeIndex: number, command: LockCommand): NodeReply {
    const keys = this.nodes[nodeIndex];
    if (keys === undefined) throw new Error(`there is no node ${String(nodeIndex)}`);
    const { value } = command;
    const resources = resourcesOf(command);
    const live = resources.map((resource) => {
      const found = keys.get(resource);
      return found !== undefined && found.expiresAtMs > this.nowMs ? found : undefined;
    });
    if (command.kind === "acquire") {
      if (live.some((key) => key !== undefined && key.value !== command.replaces)) return HELD;
      for (const resource of resources)
        keys.set(resource, { value, expiresAtMs: this.nowMs + command.ttlMs });
      return GRANTED;
    }
    const own = live.filter((key) => key?.value === value);
    if (command.kind === "delete") {
      for (const [index, key] of live.entries())
        if (key?.value === value) keys.delete(resources[index] ?? "");
      if (own.length > 0) return GRANTED;
      return live.every((key) => key === undefined) ? MISSING : FOREIGN;
    }
    if (live.includes(undefined)) return MISSING;
    if (own.length < live.length) return FOREIGN;
    for (const key of own) {
      if (key !== undefined) key.expiresAtMs = Math.max(key.expiresAtMs, this.nowMs + command.ttlMs);
    }
    return GRANTED;
  }

  #nextFraction(): number {
    return this.#fractions[this.#fractionCount++ % this.#fractions.length] ?? 0.5;
  }
}

export const PROMPT: Fate = { requestMs: 2, replyMs: 2 };
export const UNHEARD: Fate = { requestMs: 2, replyMs: "lost" };
export const CUT: Fate = { requestMs: "lost", replyMs: "lost" };
export const BROKEN: Fate = { requestMs: "broken", replyMs: "lost" };
