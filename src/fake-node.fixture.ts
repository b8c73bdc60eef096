import { type LockCommand, resourcesOf, type SentCommand } from "./ports/command.ts";
import type { LockNode } from "./ports/node.ts";
import { FOREIGN, GRANTED, HELD, MISSING, type NodeReply } from "./ports/reply.ts";

/** A node in memory that implements the whole port; keys live until they are deleted. */
export class FakeNode implements LockNode {
  readonly name: string;
  readonly keys = new Map<string, string>();
  readonly received: SentCommand[] = [];
  /** `silent`: commands run, nobody hears of it. `away`: nothing runs and every answer is unknown. */
  mode: "prompt" | "silent" | "away" = "prompt";
  /** Every guarded command is refused, and answered that for so long it will be. */
  quarantinedForMs: number | undefined;
  /** What a survey finds, and trust leaves. */
  isGuarded = false;
  isClosed = false;

  constructor(name: string) {
    this.name = name;
  }

  send(command: SentCommand, _untilMs: number, settle: (reply: NodeReply) => void): void {
    this.received.push(command);
    const reply: NodeReply =
      this.mode === "away" ? { kind: "unknown", cause: "away", mayHaveRun: false } : this.#execute(command);
    if (this.mode !== "silent") {
      queueMicrotask(() => {
        settle(reply);
      });
    }
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  #execute(command: SentCommand): NodeReply {
    if (command.kind === "end-connection") return GRANTED;
    if (command.kind === "survey" || command.kind === "trust") {
      const reply = this.isGuarded ? HELD : GRANTED;
      this.isGuarded ||= command.kind === "trust";
      return reply;
    }
    if ("guard" in command && command.guard !== undefined && this.quarantinedForMs !== undefined) {
      return { kind: "refused", reason: "quarantined", leftMs: this.quarantinedForMs };
    }
    return this.#executeLock(command);
  }

  #executeLock(command: LockCommand): NodeReply {
    const { kind, value } = command;
    const resources = resourcesOf(command);
    const found = resources.map((resource) => this.keys.get(resource));
    if (kind === "acquire") {
      if (found.some((one) => one !== undefined && one !== command.replaces)) return HELD;
      for (const resource of resources) this.keys.set(resource, value);
      return GRANTED;
    }
    if (kind === "delete") {
      for (const resource of resources) if (this.keys.get(resource) === value) this.keys.delete(resource);
      if (found.includes(value)) return GRANTED;
      return found.every((one) => one === undefined) ? MISSING : FOREIGN;
    }
    if (found.includes(undefined)) return MISSING;
    return found.every((one) => one === value) ? GRANTED : FOREIGN;
  }
}

export function fakeNodes(count = 5): FakeNode[] {
  return Array.from({ length: count }, (_, index) => new FakeNode(String.fromCharCode(65 + index)));
}
