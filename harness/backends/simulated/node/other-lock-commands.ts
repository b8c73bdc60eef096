/** How a node answers the commands of locks other than the coordinator: one script, or one plain command each. */
import { FOREIGN, GRANTED, MISSING, type NodeReply } from "../../../../src/ports/reply.ts";
import { replyFromWire } from "../../../../src/redis/wire.ts";
import type { KeyCommand } from "../../../strategies/lab-command.ts";
import type { KeyCommands } from "./key-commands.ts";

type OtherLockCommand = Extract<
  KeyCommand,
  {
    readonly kind: "compare" | "remove" | "overwrite" | "acquire-again" | "extend-to" | "acquire-replicated";
  }
>;

export function otherLockReply(keys: KeyCommands, command: OtherLockCommand, wallMs: number): NodeReply {
  switch (command.kind) {
    case "compare":
      return compared(keys.read(command.resource, wallMs), command.value);
    case "remove":
      return keys.remove(command.resource, wallMs) === 1 ? GRANTED : MISSING;
    case "overwrite":
      keys.write({ ...command, kind: "write" }, wallMs);
      return GRANTED;
    case "acquire-again":
      return acquireAgain(keys, command, wallMs);
    case "extend-to":
      return replyFromWire("extend", keys.extendTo(command, wallMs));
    case "acquire-replicated":
      return replyFromWire("acquire", keys.lock({ ...command, kind: "acquire" }, wallMs));
  }
}

function compared(found: string | null, value: string): NodeReply {
  if (found === null) return MISSING;
  return found === value ? GRANTED : FOREIGN;
}

function acquireAgain(
  keys: KeyCommands,
  command: Extract<KeyCommand, { readonly kind: "acquire-again" }>,
  wallMs: number,
): NodeReply {
  if (keys.read(command.resource, wallMs) !== command.value) {
    return replyFromWire("acquire", keys.lock({ ...command, kind: "acquire" }, wallMs));
  }
  if (command.refreshes) keys.extendTo(command, wallMs);
  return GRANTED;
}
