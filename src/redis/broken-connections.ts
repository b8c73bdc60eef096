import type { ServerConnection } from "./server-connection.ts";

/** Values that are remembered; of an older one it is no longer known on which connection it was sent. */
const VALUES_MAX = 20_000;

/** On which connection an acquire was under way when it broke, by the acquire's value. */
export class BrokenConnections {
  readonly #ofValue = new Map<string, ServerConnection>();

  note(value: string, connection: ServerConnection): void {
    this.#ofValue.set(value, connection);
    if (this.#ofValue.size <= VALUES_MAX) return;
    for (const oldest of this.#ofValue.keys()) {
      this.#ofValue.delete(oldest);
      return;
    }
  }

  find(value: string): ServerConnection | undefined {
    return this.#ofValue.get(value);
  }

  forget(value: string): void {
    this.#ofValue.delete(value);
  }
}
