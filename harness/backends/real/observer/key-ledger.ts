/**
 * The keys of one node, kept from what the node tells: MONITOR's lines say what was asked, keyspace notices say
 * what was done. Redis 7 writes the notices of a command right before its line, to one connection, so a SET is
 * known to have been granted and nothing has to be guessed from clocks. Pure.
 */
import type { EventOf, NodeName } from "../../../history/event.ts";
import { commandEffect, type CommandEffect, type Expiry } from "./command-effect.ts";
import type { MonitorLine } from "./monitor-line.ts";

type Body<Kind extends "key-set" | "key-raised" | "key-deleted"> = Omit<EventOf<Kind>, "seq" | "atMs">;
export type KeyEvent = Body<"key-set"> | Body<"key-raised"> | Body<"key-deleted">;

export interface FoundKey {
  readonly resource: string;
  readonly value: string;
  /** Remaining lifetime; `null`: no expiry. */
  readonly expiresInMs: number | null;
}

interface KnownKey {
  readonly value: string;
  /** On the node's wall clock, since the Unix epoch; `null`: no expiry. */
  readonly expiresAtMs: number | null;
}

const NS_PER_MS = 1e6;

export class KeyLedger {
  readonly #node: NodeName;
  readonly #isObserved: (key: string) => boolean;
  readonly #keys = new Map<string, KnownKey>();
  /** What the command whose line comes next has done, by key. */
  readonly #done = new Map<string, Set<string>>();
  /** ARGV[1] of the script whose calls come now. */
  #claimedValue: string | undefined;

  constructor(options: { readonly node: NodeName; readonly isObserved: (key: string) => boolean }) {
    this.#node = options.node;
    this.#isObserved = options.isObserved;
  }

  /** Starts anew with the keys that a node was found to have. */
  restore(found: readonly FoundKey[], shownNs: bigint): readonly KeyEvent[] {
    this.#keys.clear();
    this.#done.clear();
    const nowMs = Number(shownNs) / NS_PER_MS;
    return found.map(({ resource, value, expiresInMs }) => {
      this.#keys.set(resource, { value, expiresAtMs: expiresInMs === null ? null : nowMs + expiresInMs });
      return { kind: "key-set", node: this.#node, resource, value, expiresInMs, cause: "recovered" };
    });
  }

  /** @param notice the name of a keyevent: `set`, `expire`, `del`, `expired`, `evicted`. */
  notice(notice: string, key: string): readonly KeyEvent[] {
    if (!this.#isObserved(key)) return [];
    const known = this.#keys.get(key);
    switch (notice) {
      case "expired":
        // No event: when a key stops counting is the node's clock's business, not that of its removal.
        this.#keys.delete(key);
        return [];
      case "evicted":
        this.#keys.delete(key);
        return known === undefined ? [] : [this.#deleted(key, known, { cause: "evicted" })];
      default:
        this.#done.set(key, new Set(this.#done.get(key)).add(notice));
        return [];
    }
  }

  line(line: MonitorLine): readonly KeyEvent[] {
    const effect = commandEffect(line.args);
    // The notices that come next are those of the script's calls.
    if (!line.isFromScript) this.#claimedValue = effect?.kind === "script" ? effect.firstArgument : undefined;
    const events = effect === undefined || effect.kind === "script" ? [] : this.#eventsOf(effect, line);
    // Notices belong to the line right behind them, also where nobody here can read that line.
    this.#done.clear();
    return events;
  }

  #eventsOf(effect: Exclude<CommandEffect, { kind: "script" }>, line: MonitorLine): readonly KeyEvent[] {
    switch (effect.kind) {
      case "set":
        return this.#hasDone(effect.key, "set") ? [this.#set(effect, line)] : [];
      case "expire":
        // A lifetime of nothing deletes.
        if (this.#hasDone(effect.key, "del")) return this.#delete([effect.key], undefined);
        return this.#hasDone(effect.key, "expire") ? this.#raise(effect, line) : [];
      case "delete":
        return this.#delete(
          effect.keys.filter((key) => this.#hasDone(key, "del")),
          effect.comparedTo,
        );
      case "flush":
        return line.database === 0 || effect.allDatabases ? this.#flush(line) : [];
    }
  }

  #set({ key, value, expiry }: Extract<CommandEffect, { kind: "set" }>, { shownNs }: MonitorLine): KeyEvent {
    const expiresAtMs = this.#expiresAtMs(key, expiry, shownNs);
    this.#keys.set(key, { value, expiresAtMs });
    const expiresInMs = lifetimeMs(expiresAtMs, shownNs);
    return { kind: "key-set", node: this.#node, resource: key, value, expiresInMs, cause: "command" };
  }

  #raise(
    { key, expiry }: Extract<CommandEffect, { kind: "expire" }>,
    { shownNs }: MonitorLine,
  ): readonly KeyEvent[] {
    const known = this.#keys.get(key);
    const expiresAtMs = this.#expiresAtMs(key, expiry, shownNs);
    const expiresInMs = lifetimeMs(expiresAtMs, shownNs);
    if (known === undefined || expiresInMs === null) return [];
    const { value } = known;
    this.#keys.set(key, { value, expiresAtMs });
    const claimed = this.#claimedValue === undefined ? {} : { claimedValue: this.#claimedValue };
    return [{ kind: "key-raised", node: this.#node, resource: key, value, ...claimed, expiresInMs }];
  }

  #delete(keys: readonly string[], comparedTo: string | undefined): readonly KeyEvent[] {
    const claimedValue = comparedTo ?? this.#claimedValue;
    return keys.flatMap((key) => {
      const known = this.#keys.get(key);
      this.#keys.delete(key);
      if (known === undefined) return [];
      const claimed = claimedValue === undefined ? {} : { claimedValue };
      return [this.#deleted(key, known, { ...claimed, cause: "command" })];
    });
  }

  #flush({ shownNs }: MonitorLine): readonly KeyEvent[] {
    const nowMs = Number(shownNs) / NS_PER_MS;
    const flushed = [...this.#keys].filter(
      ([, { expiresAtMs }]) => expiresAtMs === null || expiresAtMs >= nowMs,
    );
    this.#keys.clear();
    return flushed.map(([key, known]) => this.#deleted(key, known, { cause: "flushed" }));
  }

  #deleted(
    key: string,
    { value }: KnownKey,
    how: Pick<Body<"key-deleted">, "cause" | "claimedValue">,
  ): KeyEvent {
    return { kind: "key-deleted", node: this.#node, resource: key, value, ...how };
  }

  #hasDone(key: string, notice: string): boolean {
    return this.#done.get(key)?.has(notice) === true;
  }

  #expiresAtMs(key: string, expiry: Expiry, shownNs: bigint): number | null {
    switch (expiry.kind) {
      case "none":
        return null;
      case "keep":
        return this.#keys.get(key)?.expiresAtMs ?? null;
      case "at":
        return expiry.unixMs;
      case "in":
        return Number(shownNs) / NS_PER_MS + expiry.ms;
    }
  }
}

function lifetimeMs(expiresAtMs: number | null, shownNs: bigint): number | null {
  if (expiresAtMs === null) return null;
  // Doubles hold the time of day to a quarter of a microsecond: Redis' own grain is a millisecond.
  return Math.round((expiresAtMs - Number(shownNs) / NS_PER_MS) * 1_000) / 1_000;
}
