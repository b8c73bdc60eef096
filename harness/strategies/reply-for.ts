/** One command to one node, outside of every round. */
import type { Effect, ReplyRecord } from "../../src/ports/effect.ts";
import type { NodeReply } from "../../src/ports/reply.ts";
import type { LabCommand } from "./lab-command.ts";
import type { LabProcedure } from "./lab-effect.ts";

class SingleReply implements ReplyRecord {
  reply: NodeReply | undefined;
  hasNews = false;

  settle(_nodeIndex: number, reply: NodeReply): void {
    this.reply = reply;
    this.hasNews = true;
  }

  takeNews(): void {
    this.hasNews = false;
  }
}

/** Sends another command in a send's place and waits for its reply; `undefined`: none came until its time. */
export function* replyFor(
  { nodeIndex, untilMs }: Pick<Extract<Effect, { readonly kind: "send" }>, "nodeIndex" | "untilMs">,
  command: LabCommand,
): LabProcedure<NodeReply | undefined> {
  const record = new SingleReply();
  yield { kind: "send", nodeIndex, command, untilMs, record };
  yield { kind: "receive", record, untilMs };
  return record.reply;
}
