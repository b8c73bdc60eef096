/** The keys of one node while its events go by; what has ended is kept as lives. */
import type { EventOf, HistoryEvent, NodeName } from "./event.ts";
import { keyOf, type KeyLife, type LifeEnd } from "./key-life.ts";
import { NodeClock } from "./node-clock.ts";

interface OpenLife {
  readonly resource: string;
  readonly value: string;
  readonly fromMs: number;
  readonly seqs: number[];
  expiresAtWallMs: number;
  jumpedByMs: number;
  fastestRate: number;
}

type NodeEvent = Extract<HistoryEvent, { readonly node: NodeName }>;

export class NodeKeys {
  readonly #node: NodeName;
  readonly #uncertaintyMs: number;
  readonly #grantedAtMs: (key: string) => number | undefined;
  readonly #clock = new NodeClock();
  readonly #open = new Map<string, OpenLife>();
  /** The last life of each resource that has expired; an extension stamped late may show that it has not. */
  readonly #lastExpired = new Map<string, { readonly life: KeyLife; readonly open: OpenLife }>();
  readonly #lives = new Set<KeyLife>();
  /** What was held when the node went down last. */
  readonly #heldAtDown = new Map<string, string>();
  #isDown = false;
  #downSinceMs = -Infinity;
  #upSinceMs = -Infinity;

  constructor(
    node: NodeName,
    rules: {
      readonly uncertaintyMs: number;
      /** When the owner of a key heard of it, by `keyOf`. */
      readonly grantedAtMs: (key: string) => number | undefined;
    },
  ) {
    this.#node = node;
    this.#uncertaintyMs = rules.uncertaintyMs;
    this.#grantedAtMs = rules.grantedAtMs;
  }

  apply(event: NodeEvent): void {
    switch (event.kind) {
      case "key-set":
        this.#expire(event.atMs, event.resource);
        this.#set(event);
        break;
      case "key-raised":
        this.#expire(event.atMs, event.resource);
        this.#raise(event);
        break;
      case "key-deleted":
        this.#expire(event.atMs, event.resource);
        this.#delete(event);
        break;
      case "node-down":
        this.#expireAll(event.atMs);
        this.#goDown(event);
        break;
      case "node-up":
        this.#isDown = false;
        this.#upSinceMs = event.atMs;
        break;
      case "clock-jumped":
        this.#jump(event);
        break;
      case "clock-rate-set":
        this.#setRate(event);
        break;
      default:
        break;
    }
  }

  finish(endMs: number): readonly KeyLife[] {
    this.#expireAll(endMs);
    for (const life of this.#open.values()) this.#close(life, { toMs: endMs, end: { kind: "still-there" } });
    this.#open.clear();
    return [...this.#lives];
  }

  #set(event: EventOf<"key-set">): void {
    if (event.cause === "command" && this.#wentDownWith(event.atMs)) return;
    const { resource, value, atMs, seq } = event;
    const old = this.#open.get(resource);
    if (old?.value === value) {
      old.seqs.push(seq);
      this.#renew(old, atMs, event.expiresInMs);
      return;
    }
    if (old !== undefined) {
      const remainingMs = old.expiresAtWallMs - this.#clock.wallMs(atMs);
      const end: LifeEnd = { kind: "overwritten", byValue: value, remainingMs };
      this.#close(old, { toMs: atMs, end, seq });
    }
    this.#begin({ resource, value, fromMs: this.#startOf(event), seqs: [seq] }, event);
  }

  #startOf(event: EventOf<"key-set">): number {
    const { atMs, resource, value } = event;
    if (event.cause === "recovered") return Math.min(atMs, this.#recoveredSinceMs(event));
    if (this.#uncertaintyMs === 0) return atMs;
    const knownAtMs = this.#grantedAtMs(keyOf(this.#node, resource, value)) ?? atMs;
    return knownAtMs < atMs && atMs - knownAtMs <= this.#uncertaintyMs ? knownAtMs : atMs;
  }

  /**
   * A look after a restart finds what survived, which was there from the start, and what was set before
   * anybody looked, which was there when its owner heard of it.
   */
  #recoveredSinceMs({ atMs, resource, value }: EventOf<"key-set">): number {
    if (this.#heldAtDown.get(resource) === value) return this.#isDown ? atMs : this.#upSinceMs;
    const knownAtMs = this.#grantedAtMs(keyOf(this.#node, resource, value)) ?? atMs;
    return knownAtMs > this.#downSinceMs ? knownAtMs : atMs;
  }

  /** Stamped a little late: it happened before the node went down, and has gone with it. */
  #wentDownWith(atMs: number): boolean {
    return this.#isDown && atMs - this.#downSinceMs <= this.#uncertaintyMs;
  }

  #raise(event: EventOf<"key-raised">): void {
    if (this.#wentDownWith(event.atMs)) return;
    const { resource, value, atMs, seq } = event;
    const open = this.#open.get(resource);
    if (open?.value === value) {
      open.seqs.push(seq);
      this.#renew(open, atMs, event.expiresInMs);
      return;
    }
    const last = this.#lastExpired.get(resource);
    if (last?.life.value === value && atMs - last.life.toMs <= this.#uncertaintyMs) {
      this.#lives.delete(last.life);
      last.open.seqs.push(seq);
      this.#begin(last.open, event);
    } else {
      this.#begin({ resource, value, fromMs: atMs, seqs: [seq] }, event);
    }
  }

  #delete({ resource, value, claimedValue, cause, atMs, seq }: EventOf<"key-deleted">): void {
    const open = this.#open.get(resource);
    if (open?.value !== value) return;
    const end: LifeEnd = cause === "command" ? { kind: "deleted", claimedValue } : { kind: cause };
    this.#close(open, { toMs: atMs, end, seq });
    this.#open.delete(resource);
  }

  #goDown({ cause, atMs, seq }: EventOf<"node-down">): void {
    this.#isDown = true;
    this.#downSinceMs = atMs;
    this.#heldAtDown.clear();
    for (const { resource, value } of this.#open.values()) this.#heldAtDown.set(resource, value);
    for (const life of this.#open.values()) {
      this.#close(life, { toMs: atMs, end: { kind: "node-down", cause }, seq });
    }
    this.#open.clear();
  }

  #jump({ atMs, byMs }: EventOf<"clock-jumped">): void {
    this.#expireAll(atMs);
    this.#clock.jump(atMs, byMs);
    for (const life of this.#open.values()) life.jumpedByMs += byMs;
    this.#expireAll(atMs);
  }

  #setRate({ atMs, rate }: EventOf<"clock-rate-set">): void {
    this.#expireAll(atMs);
    this.#clock.setRate(atMs, rate);
    for (const life of this.#open.values()) life.fastestRate = Math.max(life.fastestRate, rate);
  }

  #begin(
    life: Pick<OpenLife, "resource" | "value" | "fromMs" | "seqs">,
    { atMs, expiresInMs }: { readonly atMs: number; readonly expiresInMs: number | null },
  ): void {
    const { resource, value, fromMs, seqs } = life;
    const open = { resource, value, fromMs, seqs, expiresAtWallMs: 0, jumpedByMs: 0, fastestRate: 0 };
    this.#renew(open, atMs, expiresInMs);
    this.#open.set(resource, open);
  }

  #renew(life: OpenLife, atMs: number, expiresInMs: number | null): void {
    life.expiresAtWallMs = expiresInMs === null ? Infinity : this.#clock.wallMs(atMs) + expiresInMs;
    life.jumpedByMs = 0;
    life.fastestRate = this.#clock.rate;
  }

  #expireAll(atMs: number): void {
    for (const resource of [...this.#open.keys()]) this.#expire(atMs, resource);
  }

  #expire(atMs: number, resource: string): void {
    const open = this.#open.get(resource);
    if (open === undefined) return;
    const toMs = Math.max(this.#clock.reachesMs(open.expiresAtWallMs), open.fromMs);
    if (toMs > atMs) return;
    this.#lastExpired.set(resource, { life: this.#close(open, { toMs, end: expiryOf(open) }), open });
    this.#open.delete(resource);
  }

  #close(
    { resource, value, fromMs, seqs }: OpenLife,
    { toMs, end, seq }: { readonly toMs: number; readonly end: LifeEnd; readonly seq?: number },
  ): KeyLife {
    const allSeqs = seq === undefined ? [...seqs] : [...seqs, seq];
    const life = { node: this.#node, resource, value, fromMs, toMs, end, seqs: allSeqs };
    this.#lives.add(life);
    return life;
  }
}

function expiryOf({ jumpedByMs, fastestRate }: OpenLife): LifeEnd {
  if (jumpedByMs > 0) return { kind: "expired-by-jump", byMs: jumpedByMs };
  if (fastestRate > 1) return { kind: "expired-by-rate", rate: fastestRate };
  return { kind: "expired" };
}
