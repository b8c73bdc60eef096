/**
 * Collects what is written to a connection within one tick, so that it leaves in one system call: under load
 * the calls cost more than all the rest. Alone, a command leaves as soon as the code that sent it has returned.
 */

/** The part of a stream that is needed. */
export interface Corkable {
  cork(): void;
  uncork(): void;
}

/** Corks the stream of one connection, once a tick. */
export class TickCork {
  #corked: Corkable | undefined;

  /** To be called before each write; what is written until the end of the tick goes out together. */
  holdBack(stream: Corkable): void {
    if (this.#corked === stream) return;
    this.#corked = stream;
    stream.cork();
    // After the promises that are settled already: what they send belongs to this tick.
    process.nextTick(() => {
      if (this.#corked === stream) this.#corked = undefined;
      stream.uncork();
    });
  }
}
