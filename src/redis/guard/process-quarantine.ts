/**
 * The restart guard for a server that runs no scripts for us, or does not say which of its processes it is: whoever it
 * is, it casts no vote for one longest lifetime from the moment in which this process first saw it, start-up included
 * (design rule 8). That it was emptied is not seen. Pure.
 */

/** A server has one at a time; those of long ago may be forgotten, and are then new again. */
const SEEN_MAX = 100;

/** What one client has seen of one node. */
export class ProcessQuarantine {
  readonly #firstSeenAtMs = new Map<string, number>();

  /** @param identity of the server's process, or of the connection where that is not told. */
  see(identity: string, nowMs: number): void {
    if (this.#firstSeenAtMs.has(identity)) return;
    const [oldest] = this.#firstSeenAtMs.keys();
    if (oldest !== undefined && this.#firstSeenAtMs.size >= SEEN_MAX) this.#firstSeenAtMs.delete(oldest);
    this.#firstSeenAtMs.set(identity, nowMs);
  }

  /** The user vouches that no lock is live. */
  trust(identity: string): void {
    this.#firstSeenAtMs.set(identity, -Infinity);
  }

  /** For how long it still casts no vote, in milliseconds; 0 when that is over. */
  leftMs(identity: string, longestLifetimeMs: number, nowMs: number): number {
    const seenAtMs = this.#firstSeenAtMs.get(identity) ?? nowMs;
    return Math.max(0, seenAtMs + longestLifetimeMs - nowMs);
  }
}
