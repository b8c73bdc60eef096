import { Redis } from "ioredis";
import { RedlockError } from "../errors.ts";
import type { LockNode } from "../ports/node.ts";
import { systemClock } from "../runtime/system-clock.ts";
import { CONNECTION_OPTIONS } from "./connection-options.ts";
import { RedisNode } from "./redis-node.ts";

/** More nodes than letters would need other names; nobody runs that many. */
const NODES_MAX = 26;
const CODE_OF_A = 65;

/**
 * Connects to independent Redis masters, one connection each. Connecting goes on in the background, and an
 * acquire waits for it within its node timeout.
 *
 * @param urls `redis://` or `rediss://` addresses, all different, at most 26. Nodes are named `A`, `B`, … in
 *   this order, so every client must list them in the same order.
 * @throws RedlockError `misuse` when an address cannot be one, or stands twice.
 */
export function createNodes(urls: readonly string[]): readonly LockNode[] {
  assertAddresses(urls);
  return urls.map(
    (url, nodeIndex) =>
      new RedisNode(
        String.fromCharCode(CODE_OF_A + nodeIndex),
        () => new Redis(url, CONNECTION_OPTIONS),
        () => systemClock.nowMs(),
      ),
  );
}

function assertAddresses(urls: unknown): asserts urls is readonly string[] {
  if (!Array.isArray(urls) || urls.length === 0 || urls.length > NODES_MAX) {
    throw misuse(`createNodes takes a list of 1 to ${String(NODES_MAX)} Redis addresses`);
  }
  const seen = new Set<string>();
  for (const url of urls) {
    const key = addressOf(url);
    if (key === undefined) {
      throw misuse(`"${String(url)}" is no Redis address: write redis://host:port or rediss://host:port`);
    }
    if (seen.has(key)) throw misuse(`the node ${key} is listed twice: it would be counted twice`);
    seen.add(key);
  }
}

/** Host and port: two databases of one server are one node. */
function addressOf(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  if ((protocol !== "redis:" && protocol !== "rediss:") || hostname === "") return undefined;
  return `${hostname.toLowerCase()}:${port === "" ? "6379" : port}`;
}

function misuse(message: string): RedlockError {
  return new RedlockError("misuse", message);
}
