/**
 * The commands that read and change keys, each with the answer and the events of a real node. They mirror
 * src/redis/wire.ts and src/redis/scripts.ts step by step; the contract suite holds them to it.
 */
import { GUARD_KEY, recordText } from "../../../../src/core/guard-record.ts";
import {
  type AcquireCommand,
  type DeleteCommand,
  type ExtendCommand,
  type GuardCommand,
  type GuardTerms,
  type LockCommand,
  resourcesOf,
} from "../../../../src/ports/command.ts";
import {
  SCRIPT_FOREIGN,
  SCRIPT_GRANTED,
  SCRIPT_HELD,
  SCRIPT_MISSING,
} from "../../../../src/redis/scripts.ts";
import type { NodeEvent, NodeName } from "../../../history/event.ts";
import { type GuardRefusal, guardRefusal } from "./guard-keys.ts";
import type { KeySpace } from "./key-space.ts";
import type { NodeCommand, NodeFailure, ScriptCommand } from "./node-command.ts";

const OK = "OK";
const NO_EXPIRY = -1;
const NO_KEY = -2;
const NO_SCRIPT: NodeFailure = {
  kind: "failure",
  message: "NOSCRIPT No matching script. Please use EVAL.",
};

type Write = Extract<NodeCommand, { readonly kind: "write" }>;

/** A value and the lifetime that it is to have. */
interface Expiring {
  readonly resource: string;
  readonly value: string;
  readonly ttlMs: number;
}

type LockAnswer = "OK" | null | number | GuardRefusal;

/** Times are those of the node's wall clock, in whole milliseconds. */
export class KeyCommands {
  readonly #node: NodeName;
  readonly #keys: KeySpace;
  readonly #record: (body: NodeEvent) => void;
  readonly #runId: () => string;
  /** How much shorter a quarantine is than the longest lifetime. */
  #quarantineShorterByMs = 0;
  readonly #cachedScripts = new Set<ScriptCommand["kind"]>();

  /** @param runId of the server's process; a connection to it knows no other. */
  constructor(
    node: NodeName,
    keys: KeySpace,
    { record, runId }: { readonly record: (body: NodeEvent) => void; readonly runId: () => string },
  ) {
    this.#node = node;
    this.#keys = keys;
    this.#record = record;
    this.#runId = runId;
  }

  lock(command: LockCommand, wallMs: number): LockAnswer {
    if (command.kind === "acquire") return this.#acquire(command, wallMs);
    if (!("guard" in command) || command.guard === undefined) this.#cachedScripts.add(command.kind);
    return this.#runScript(command, wallMs);
  }

  /** As `lock`, with a quarantine that takes the time for which the server has been up as over already. */
  lockByUptime(command: LockCommand, wallMs: number, uptimeMs: number): LockAnswer {
    this.#quarantineShorterByMs = uptimeMs;
    const answer = this.lock(command, wallMs);
    this.#quarantineShorterByMs = 0;
    return answer;
  }

  /** Whether there is a guard, or the guard without a quarantine where there is none. */
  guard(command: GuardCommand, wallMs: number): "OK" | null | number {
    const found = this.read(GUARD_KEY, wallMs);
    if (command.kind === "survey") return found === null ? 0 : 1;
    if (found !== null) return null;
    const value = recordText({ runId: this.#runId(), terms: command.guard, durability: "volatile" });
    return this.write({ kind: "write", resource: GUARD_KEY, value }, wallMs);
  }

  callCached(script: ScriptCommand, wallMs: number): LockAnswer | NodeFailure {
    return this.#cachedScripts.has(script.kind) ? this.#runScript(script, wallMs) : NO_SCRIPT;
  }

  flushScripts(): "OK" {
    this.#cachedScripts.clear();
    return OK;
  }

  write({ resource, value, ttlMs }: Write, wallMs: number): "OK" {
    this.#set({ resource, value, expiresInMs: ttlMs ?? null }, wallMs);
    return OK;
  }

  remove(resource: string, wallMs: number): number {
    const key = this.#keys.find(resource, wallMs);
    if (key === undefined) return 0;
    this.#keys.remove(resource);
    this.#record({
      kind: "key-deleted",
      node: this.#node,
      resource,
      value: key.value,
      cause: "command",
    });
    return 1;
  }

  read(resource: string, wallMs: number): string | null {
    return this.#keys.find(resource, wallMs)?.value ?? null;
  }

  lifetime(resource: string, wallMs: number): number {
    const key = this.#keys.find(resource, wallMs);
    if (key === undefined) return NO_KEY;
    return key.expiresAtMs === Infinity ? NO_EXPIRY : key.expiresAtMs - wallMs;
  }

  flushAll(wallMs: number): "OK" {
    this.#keys.sweep(wallMs);
    for (const [resource, { value }] of this.#keys.entries()) {
      this.#keys.remove(resource);
      this.#record({ kind: "key-deleted", node: this.#node, resource, value, cause: "flushed" });
    }
    return OK;
  }

  /** Memory was needed. */
  evict(resource: string, wallMs: number): void {
    const key = this.#keys.find(resource, wallMs);
    if (key === undefined) return;
    this.#keys.remove(resource);
    this.#record({ kind: "key-deleted", node: this.#node, resource, value: key.value, cause: "evicted" });
  }

  /** Compares, then sets the expiry, also where that shortens it. */
  extendTo({ resource, value, ttlMs }: Expiring, wallMs: number): number {
    const key = this.#keys.find(resource, wallMs);
    if (key === undefined) return SCRIPT_MISSING;
    if (key.value !== value) return SCRIPT_FOREIGN;
    this.#raise({ resource, value, ttlMs }, wallMs);
    return SCRIPT_GRANTED;
  }

  #acquire(command: AcquireCommand, wallMs: number): LockAnswer {
    const { value, ttlMs, guard, others, replaces } = command;
    const refusal = this.#refusal(guard, wallMs);
    if (refusal !== undefined) return refusal;
    const isScript = guard !== undefined || others !== undefined || replaces !== undefined;
    const resources = resourcesOf(command);
    const found = resources.map((resource) => this.read(resource, wallMs));
    if (found.some((one) => one !== null && one !== replaces)) return isScript ? SCRIPT_HELD : null;
    for (const resource of resources) this.#set({ resource, value, expiresInMs: ttlMs }, wallMs);
    return isScript ? SCRIPT_GRANTED : OK;
  }

  #refusal(guard: GuardTerms | undefined, wallMs: number): GuardRefusal | undefined {
    if (guard === undefined) return undefined;
    const quarantineMs = guard.longestLifetimeMs - this.#quarantineShorterByMs;
    return guardRefusal(
      guard,
      { runId: this.#runId(), quarantineMs },
      {
        read: (name) => this.read(name, wallMs),
        lifetime: (name) => this.lifetime(name, wallMs),
        write: (resource, value, ttlMs) => this.#set({ resource, value, expiresInMs: ttlMs ?? null }, wallMs),
      },
    );
  }

  #runScript(command: ScriptCommand, wallMs: number): LockAnswer {
    return command.kind === "delete" ? this.#delete(command, wallMs) : this.#extend(command, wallMs);
  }

  #extend(command: ExtendCommand, wallMs: number): LockAnswer {
    const { value, ttlMs, guard } = command;
    const refusal = this.#refusal(guard, wallMs);
    if (refusal !== undefined) return refusal;
    const resources = resourcesOf(command);
    for (const resource of resources) {
      const found = this.read(resource, wallMs);
      if (found === null) return SCRIPT_MISSING;
      if (found !== value) return SCRIPT_FOREIGN;
    }
    for (const resource of resources) {
      const leftMs = (this.#keys.find(resource, wallMs)?.expiresAtMs ?? Infinity) - wallMs;
      if (leftMs < ttlMs) this.#raise({ resource, value, ttlMs }, wallMs);
    }
    return SCRIPT_GRANTED;
  }

  #delete(command: DeleteCommand, wallMs: number): LockAnswer {
    const { value } = command;
    let answer = SCRIPT_MISSING;
    for (const resource of resourcesOf(command)) {
      const found = this.read(resource, wallMs);
      if (found === value) {
        this.#keys.remove(resource);
        const facts = { resource, value, claimedValue: value, cause: "command" } as const;
        this.#record({ kind: "key-deleted", node: this.#node, ...facts });
        answer = SCRIPT_GRANTED;
      } else if (found !== null && answer === SCRIPT_MISSING) {
        answer = SCRIPT_FOREIGN;
      }
    }
    return answer;
  }

  #raise({ resource, value, ttlMs }: Expiring, wallMs: number): void {
    this.#keys.set(resource, { value, expiresAtMs: wallMs + ttlMs });
    this.#record({
      kind: "key-raised",
      node: this.#node,
      resource,
      value,
      claimedValue: value,
      expiresInMs: ttlMs,
    });
  }

  #set(
    key: { readonly resource: string; readonly value: string; readonly expiresInMs: number | null },
    wallMs: number,
  ): void {
    const { resource, value, expiresInMs } = key;
    const expiresAtMs = expiresInMs === null ? Infinity : wallMs + expiresInMs;
    this.#keys.set(resource, { value, expiresAtMs });
    this.#record({ kind: "key-set", node: this.#node, resource, value, expiresInMs, cause: "command" });
  }
}
