/** Commands that wait for a connection. */
import type { SentCommand } from "../ports/command.ts";
import type { NodeReply } from "../ports/reply.ts";

/** Takes a command's reply. */
export type Settle = (reply: NodeReply) => void;

/** One of them. */
export interface HeldCommand {
  readonly command: SentCommand;
  /** Later than that it must not be written. */
  readonly untilMs: number;
  readonly settle: Settle;
}

/** What takes something back waits for a node that is away; nothing else does. */
export function takesBack({ kind }: SentCommand): boolean {
  return kind === "delete" || kind === "end-connection";
}

/** A queue of them, in the order in which they came. Who fills it bounds it. */
export class HeldCommands {
  #commands: HeldCommand[] = [];

  get count(): number {
    return this.#commands.length;
  }

  push(held: HeldCommand): void {
    this.#commands.push(held);
  }

  /** Takes out those of which `isWanted` is true. */
  take(isWanted: (held: HeldCommand) => boolean): readonly HeldCommand[] {
    const taken = this.#commands.filter(isWanted);
    if (taken.length > 0) this.#commands = this.#commands.filter((held) => !isWanted(held));
    return taken;
  }
}
