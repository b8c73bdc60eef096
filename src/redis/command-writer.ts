/**
 * Writes the commands of one connection. What is sent within one tick leaves in one system call: under load the
 * calls cost more than all the rest. Alone, a command leaves as soon as the code that sent it has returned.
 */
import type { Redis } from "ioredis";
import { QuickCommand, type SendableCommand, withKeyPrefix } from "./quick-command.ts";
import type { WireCommand } from "./wire.ts";

/** The part of an ioredis client that is needed. */
export interface WritableClient {
  readonly options: { readonly keyPrefix?: string | undefined };
  readonly stream: Redis["stream"];
  /** Puts a command into the queue of those that wait for an answer, and its text into `collector`. */
  sendCommand(command: SendableCommand, collector: Collector): unknown;
}

/** ioredis writes into it as into one of its pipelines, which it empties in one piece. */
interface Collector {
  readonly isPipeline: true;
  readonly destination: { readonly redis: Pick<Redis, "stream"> };
  write(text: string): void;
}

/** The commands of one client; others that are sent by it directly may overtake those of the same tick. */
export class CommandWriter {
  readonly #client: WritableClient;
  readonly #collector: Collector;
  #waiting: QuickCommand[] = [];
  #text = "";

  constructor(client: WritableClient) {
    this.#client = client;
    this.#collector = {
      isPipeline: true,
      destination: { redis: client },
      write: (text) => {
        this.#text += text;
      },
    };
  }

  /**
   * Writes a command at the end of the tick. One of the two is called, once, later than this call returns: with
   * the answer, or with the server's error or what is wrong with the connection.
   */
  write(
    command: WireCommand,
    onAnswer: (answer: unknown) => void,
    onFailure: (failure: Error) => void,
  ): void {
    // After the promises that are settled already: what they send belongs to this tick.
    if (this.#waiting.length === 0) process.nextTick(this.flush);
    const prefixed = withKeyPrefix(command, this.#client.options.keyPrefix ?? "");
    this.#waiting.push(new QuickCommand(prefixed, onAnswer, onFailure));
  }

  /** Writes what is waiting now; to be called before the connection is ended. */
  readonly flush = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const command of waiting) this.#client.sendCommand(command, this.#collector);
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#client.stream.write(text);
  };
}
