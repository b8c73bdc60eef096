/** One node of a run: the server, and the observer that watches it directly. */
import type { EventBody, NodeName } from "../../../history/event.ts";
import type { FoundKey } from "../observer/key-ledger.ts";
import type { NodeObserver } from "../observer/node-observer.ts";
import type { RedisProcess } from "../redis-process.ts";

export interface StageNodeParts {
  readonly server: RedisProcess;
  readonly observer: NodeObserver;
  readonly record: (body: EventBody) => void;
}

export class StageNode {
  readonly name: NodeName;
  readonly server: RedisProcess;
  readonly #observer: NodeObserver;
  readonly #record: (body: EventBody) => void;

  constructor({ server, observer, record }: StageNodeParts) {
    this.name = server.name;
    this.server = server;
    this.#observer = observer;
    this.#record = record;
  }

  /** Down from the moment the kill is sent; resolves when the process is gone. */
  async goDown(cause: "killed" | "power-loss"): Promise<void> {
    this.#record({ kind: "node-down", node: this.name, cause });
    await (cause === "killed" ? this.server.kill() : this.server.losePower());
  }

  /** Up from the moment the server answers; what it still has is announced after that. */
  async comeUp(): Promise<void> {
    await this.server.start();
    this.#record({ kind: "node-up", node: this.name });
    await this.#observer.watch();
  }

  stall(): void {
    this.server.stall();
    this.#record({ kind: "node-stalled", node: this.name });
  }

  resume(): void {
    this.server.resume();
    this.#record({ kind: "node-resumed", node: this.name });
  }

  /** The keys under test; none where the node is down or silent. */
  async findKeys(): Promise<readonly FoundKey[]> {
    if (!this.server.isRunning) return [];
    try {
      return await this.#observer.findKeys();
    } catch {
      // A stalled node cannot be asked; what it holds is nobody's fault.
      return [];
    }
  }

  /** Writes down all that is still to be told of this node, and the keys that are left on it. */
  async lastLook(): Promise<void> {
    await this.#observer.catchUp();
    for (const key of await this.findKeys()) {
      this.#record({ kind: "key-found", node: this.name, ...key });
    }
  }
}
