import type { NodeEvent } from "../ports/node-event.ts";

/** Tells that a node is away, and that it is back: once each, however often it is dialled in between. */
export class NodePresence {
  readonly #node: string;
  readonly #tell: (event: NodeEvent) => void;
  #isAway = false;
  #isClosed = false;

  constructor(node: string, tell: (event: NodeEvent) => void) {
    this.#node = node;
    this.#tell = tell;
  }

  /** The connection ended, or could not be made. */
  goAway(cause: string): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    this.#tell({ kind: "node-away", node: this.#node, cause });
  }

  /** Commands are sent. */
  comeBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#tell({ kind: "node-back", node: this.#node });
  }

  /** Its user ends the connection: nothing is told any more. */
  close(): void {
    this.#isClosed = true;
  }
}
