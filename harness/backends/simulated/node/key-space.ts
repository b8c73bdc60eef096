/**
 * The keys in a node's memory. An expiry is a time of the node's own wall clock in whole milliseconds, and a key
 * is gone when the clock has passed it, as in Redis: one that lives 10 ms from 100 on is there at 110 and not at
 * 111. The caller gives the time; nothing here looks at a clock.
 */

/** Never changed in place: what is on disk shares it. */
export interface StoredKey {
  readonly value: string;
  /** On the node's wall clock; `Infinity`: no expiry. */
  readonly expiresAtMs: number;
}

export class KeySpace {
  #keys = new Map<string, StoredKey>();
  readonly #noteChange: (resource: string) => void;

  /** @param noteChange called for every key that is set, removed or found to have expired. */
  constructor(noteChange: (resource: string) => void) {
    this.#noteChange = noteChange;
  }

  /** The key if it is alive; one that has expired is removed. */
  find(resource: string, wallMs: number): StoredKey | undefined {
    const key = this.#keys.get(resource);
    if (key === undefined || wallMs <= key.expiresAtMs) return key;
    this.remove(resource);
    return undefined;
  }

  set(resource: string, key: StoredKey): void {
    this.#keys.set(resource, key);
    this.#noteChange(resource);
  }

  remove(resource: string): void {
    if (this.#keys.delete(resource)) this.#noteChange(resource);
  }

  /** Removes what has expired: a real server does so within a tenth of a second, also where nobody asks. */
  sweep(wallMs: number): void {
    for (const [resource, key] of this.#keys) if (wallMs > key.expiresAtMs) this.remove(resource);
  }

  /** What has expired and is still stored, the first to go first, with the last millisecond of its life. */
  findExpired(wallMs: number): readonly { readonly resource: string; readonly lastMs: number }[] {
    return [...this.#keys]
      .filter(([, { expiresAtMs }]) => wallMs > expiresAtMs)
      .map(([resource, { expiresAtMs }]) => ({ resource, lastMs: expiresAtMs }))
      .sort((left, right) => left.lastMs - right.lastMs);
  }

  /** Keys in the order in which they were set, those included that have expired and were not asked for. */
  entries(): IterableIterator<[string, StoredKey]> {
    return this.#keys.entries();
  }

  /** The key as it is stored, expired or not. */
  stored(resource: string): StoredKey | undefined {
    return this.#keys.get(resource);
  }

  /** What a restart leaves; no change is noted, for nothing was written. */
  replaceBy(keys: Map<string, StoredKey>): void {
    this.#keys = keys;
  }
}
