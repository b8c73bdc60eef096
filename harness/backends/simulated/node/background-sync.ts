/**
 * What would survive a loss of power under `appendfsync everysec`, with the rule by which Redis 7.0 syncs: after
 * a write, when its wall clock shows a later second than at the last sync; otherwise as soon as it does. So the
 * first write after an idle time is durable at once, the next ones at the turn of the second, and a clock that
 * was stepped back holds all syncs back until it has caught up (measured on 7.0.15).
 *
 * Nothing happens by itself: time is told before anything changes, and what was due in between is done then.
 */
import type { StoredKey } from "./key-space.ts";

const MS_PER_SECOND = 1_000;

export class BackgroundSync {
  readonly #stored: (resource: string) => StoredKey | undefined;
  readonly #durable = new Map<string, StoredKey>();
  /** What was written since the last sync that reached the disk. */
  readonly #undurable = new Set<string>();
  #lastSyncSecond: number;
  /** The server has written something that it has not synced as far as it knows. */
  #isAwaited = false;
  #isHeld = false;

  /**
   * @param stored what the server has of a key, expired or not.
   * @param wallMs the node has been idle for a while by then.
   */
  constructor(stored: (resource: string) => StoredKey | undefined, wallMs: number) {
    this.#stored = stored;
    this.#lastSyncSecond = secondOf(wallMs) - 1;
  }

  /** While held, syncs report success and make nothing durable; what they missed waits for the next one. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  /** What was written and synced long before. */
  keep(resource: string, key: StoredKey): void {
    this.#durable.set(resource, key);
  }

  noteWrite(resource: string): void {
    this.#undurable.add(resource);
    this.#isAwaited = true;
  }

  /** FLUSHALL is written also where there is nothing to flush. */
  noteFlush(): void {
    this.#isAwaited = true;
  }

  /** The clock has run on to `wallMs` since it was told last: what was due meanwhile was done when it was due. */
  elapse(wallMs: number): void {
    if (this.#isAwaited && secondOf(wallMs) > this.#lastSyncSecond) this.#sync(this.#lastSyncSecond + 1);
  }

  /** Something was written, or the clock was stepped: what is due is done now. */
  settle(wallMs: number): void {
    const second = secondOf(wallMs);
    if (this.#isAwaited && second > this.#lastSyncSecond) this.#sync(second);
  }

  /** The process is gone; what it had written stays where it is, durable or not. */
  stop(): void {
    this.#isAwaited = false;
  }

  /** A new process takes what it finds for synced. */
  restart(wallMs: number): void {
    this.#lastSyncSecond = secondOf(wallMs);
  }

  /** Another server, with another disk: nothing of what was is there. */
  forget(): void {
    this.#durable.clear();
    this.#undurable.clear();
  }

  /** What was not durable is gone. @returns what is left. */
  losePower(): Map<string, StoredKey> {
    this.#undurable.clear();
    return new Map(this.#durable);
  }

  #sync(second: number): void {
    this.#lastSyncSecond = second;
    this.#isAwaited = false;
    if (this.#isHeld) return;
    for (const resource of this.#undurable) {
      const key = this.#stored(resource);
      if (key === undefined) this.#durable.delete(resource);
      else this.#durable.set(resource, key);
    }
    this.#undurable.clear();
  }
}

function secondOf(wallMs: number): number {
  return Math.floor(wallMs / MS_PER_SECOND);
}
