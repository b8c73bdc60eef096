/**
 * Collects the events of a run from all its processes. They come in the order in which the lab hears of them
 * and are told to the director like that; the history has them in the order in which they happened.
 */
import type { EventBody, HistoryEvent } from "../../../history/event.ts";

export class Recorder {
  readonly #events: HistoryEvent[] = [];
  readonly #onEvent: (event: HistoryEvent) => void;

  constructor(onEvent: (event: HistoryEvent) => void) {
    this.#onEvent = onEvent;
  }

  record(body: EventBody, atMs: number): void {
    const event: HistoryEvent = { ...body, seq: this.#events.length, atMs };
    this.#events.push(event);
    this.#onEvent(event);
  }

  /** In the order of time, numbered anew; what has the same stamp stays in the order of arrival. */
  history(): readonly HistoryEvent[] {
    return this.#events
      .toSorted((left, right) => left.atMs - right.atMs || left.seq - right.seq)
      .map((event, seq) => ({ ...event, seq }));
  }
}
