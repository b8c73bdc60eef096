/** One connection as the server knows it, and its end there. */
import type { Redis } from "ioredis";
import { type Durability, GUARD_KEY } from "../core/guard-record.ts";
import { GRANTED, type NodeReply } from "../ports/reply.ts";
import { isCommandDenied } from "./command-denied.ts";
import { failureText } from "./failure-text.ts";
import { whyNotDurable } from "./guard/durability.ts";
import { isServerError } from "./wire.ts";

/** Learnt when the connection has been made; what the server does not tell is `undefined`. */
export interface ServerConnection {
  /** Ids start again with the server. */
  readonly clientId: string | undefined;
  /** Which process it is that answers: another one after each start. */
  readonly runId: string | undefined;
  /** Why it does not tell that, where it does not. */
  readonly whyNoRunId: string | undefined;
  /** Why the guard's keys cannot be had with this user's rights, where they cannot. */
  readonly whyNoGuardKeys: string | undefined;
  /** The process, or the connection where the process is not told. */
  readonly identity: string;
  /** Whether what it answers for outlives its process; asked only where the node is declared to be so. */
  readonly durability: Durability;
  /** Why it is not, where it is declared to be. */
  readonly whyNotDurable: string | undefined;
}

let connectionCount = 0;

/**
 * Asks the server who it is, which of its connections this is, and whether the guard may be kept there. Never rejects.
 *
 * @param isDeclaredDurable asks it too whether it is.
 */
export async function readServerConnection(
  client: Redis,
  { isDeclaredDurable }: { readonly isDeclaredDurable: boolean },
): Promise<ServerConnection> {
  const [clientId, info, guardKey, notDurable] = await Promise.all([
    answerOrFailure(client.call("CLIENT", "ID")),
    answerOrFailure(client.call("INFO", "server")),
    answerOrFailure(client.get(GUARD_KEY)),
    isDeclaredDurable ? whyNotDurable(client) : undefined,
  ]);
  connectionCount += 1;
  const runId = typeof info === "string" ? /^run_id:(\w+)/m.exec(info)?.[1] : undefined;
  return {
    clientId: typeof clientId === "number" ? String(clientId) : undefined,
    runId,
    whyNoRunId: runId === undefined ? whyNot(info) : undefined,
    whyNoGuardKeys: isKeyDenied(guardKey) ? failureText(guardKey.message) : undefined,
    identity: runId ?? `connection ${String(connectionCount)}`,
    durability: isDeclaredDurable && notDurable === undefined ? "durable" : "volatile",
    whyNotDurable: notDurable,
  };
}

/**
 * Ends a connection that broke on this side, from its successor: what the server has not run of it by then never
 * runs. Never rejects.
 */
export async function endOnServer(
  client: Redis,
  { broken, successor }: { readonly broken: ServerConnection; readonly successor: ServerConnection },
): Promise<NodeReply> {
  const { clientId, runId } = broken;
  if (clientId === undefined || runId === undefined) return cannotEnd("the server did not tell its id");
  if (successor.runId !== runId) return cannotEnd("another server process answers by now");
  try {
    await client.call("CLIENT", "KILL", "ID", clientId);
    return GRANTED;
  } catch (failure) {
    return cannotEnd(isServerError(failure) ? failure.message : "the next connection was closed too");
  }
}

/** Why the old connection may live on. */
export function cannotEnd(cause: string): NodeReply {
  return { kind: "unknown", cause: `the old connection was not ended: ${cause}`, mayHaveRun: false };
}

/** Denied, or the connection broke: the same for who only wanted to know. */
async function answerOrFailure(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (failure) {
    return failure;
  }
}

/** Another resource's key may be denied all the same: that is said when it is asked for. */
function isKeyDenied(answer: unknown): answer is Error {
  return answer instanceof Error && answer.message.startsWith("NOPERM") && !isCommandDenied(answer.message);
}

function whyNot(info: unknown): string {
  return info instanceof Error ? failureText(info.message) : "its INFO has none";
}
