/** Looks at one resource's key on one server, by commands that change nothing. */
import type { Redis } from "ioredis";
import type { NodeLook } from "../ports/node-look.ts";

/** A key that is another one each time is looked at so often. */
const TRIES_MAX = 3;
const NEVER_EXPIRES = -1;

interface Key {
  readonly client: Redis;
  readonly node: string;
  readonly resource: string;
}

/**
 * Value and time left are of one moment: they are asked for apart, as scripts and transactions may be denied, and
 * between two answers that give the same value (values are never used again).
 *
 * @throws what the client rejects with: an error of the server, or of the connection.
 */
export async function lookAtKey({ client, node, resource }: Key): Promise<NodeLook> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const [before, pttlMs, after] = await Promise.all([
      client.get(resource),
      client.pttl(resource),
      client.get(resource),
    ]);
    if (before !== after) continue;
    if (after === null) return { kind: "missing", node };
    return { kind: "found", node, value: after, leftMs: pttlMs === NEVER_EXPIRES ? undefined : pttlMs };
  }
  return { kind: "unknown", node, cause: "it changed hands again and again meanwhile" };
}
