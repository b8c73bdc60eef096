/** A simulated node's commands in the words of Redis, and Redis' answers as a simulated node gives them. */
import { createHash } from "node:crypto";
import type { RespValue } from "../../harness/backends/real/resp/resp-reader.ts";
import type {
  NodeAnswer,
  NodeCommand,
  ScriptCommand,
} from "../../harness/backends/simulated/node/node-command.ts";
import { wireFromCommand } from "../../src/redis/wire.ts";

/** In the words of Redis; Valkey has fewer. */
const NO_SCRIPT = "NOSCRIPT No matching script. Please use EVAL.";

/** The arguments that are sent; the lock commands go through the coordinator's own code. */
export function redisText(command: NodeCommand, runId: string): readonly string[] {
  switch (command.kind) {
    case "acquire":
    case "extend":
    case "delete":
    case "survey":
    case "trust": {
      const { name, args } = wireFromCommand(command, { runId, durability: "volatile" });
      return [name, ...args];
    }
    case "call-cached":
      return cachedCall(command.script);
    case "write": {
      const { resource, value, ttlMs } = command;
      return ["SET", resource, value, ...(ttlMs === undefined ? [] : ["PX", String(ttlMs)])];
    }
    case "remove":
      return ["DEL", command.resource];
    case "read":
      return ["GET", command.resource];
    case "lifetime":
      return ["PTTL", command.resource];
    case "time":
      return ["TIME"];
    case "info":
      return ["INFO"];
    case "flush-all":
      return ["FLUSHALL"];
    case "flush-scripts":
      return ["SCRIPT", "FLUSH"];
  }
}

export function answerFromRedis(value: RespValue): NodeAnswer {
  switch (value.kind) {
    case "text":
      return value.text;
    case "number":
      return value.value;
    case "null":
      return null;
    case "error":
      return { kind: "failure", message: value.message.startsWith("NOSCRIPT ") ? NO_SCRIPT : value.message };
    case "list":
    case "push":
      return value.items.map((item) => (item.kind === "text" ? item.text : `not a text: ${item.kind}`));
  }
}

function cachedCall(script: ScriptCommand): readonly string[] {
  const [text = "", ...rest] = wireFromCommand(script, { runId: "", durability: "volatile" }).args;
  return ["EVALSHA", createHash("sha1").update(text).digest("hex"), ...rest];
}
