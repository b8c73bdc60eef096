/** Writes events down as they happen: in a simulated run that is the order of the history. */
import type { EventBody, HistoryEvent } from "../../history/event.ts";
import type { EventQueue } from "./event-queue.ts";

export class Recorder {
  readonly events: HistoryEvent[] = [];
  readonly #queue: EventQueue;
  readonly #onEvent: (event: HistoryEvent) => void;

  constructor(queue: EventQueue, onEvent: (event: HistoryEvent) => void) {
    this.#queue = queue;
    this.#onEvent = onEvent;
  }

  /** Takes the body over and stamps it: nobody else may keep it. To copy it would take a tenth of the run. */
  readonly record = (body: EventBody): void => {
    stamp(body, this.events.length, this.#queue.nowMs);
    this.events.push(body);
    this.#onEvent(body);
  };
}

function stamp(
  body: EventBody & { seq?: number; atMs?: number },
  seq: number,
  atMs: number,
): asserts body is HistoryEvent {
  body.seq = seq;
  body.atMs = atMs;
}
