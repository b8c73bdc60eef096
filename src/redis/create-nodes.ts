import { misuse } from "../misuse.ts";
import type { LockNode } from "../ports/node.ts";
import { systemClock } from "../runtime/system-clock.ts";
import { propertyOf } from "./connect/client-kinds.ts";
import { describeGiven } from "./connect/describe-given.ts";
import { type Endpoint, identityOf } from "./connect/endpoint.ts";
import { endpointFromEntry } from "./connect/endpoint-from-entry.ts";
import type { NodeAddress, NodeOptions } from "./connect/node-address.ts";
import { assertNames, assertNodeOptions } from "./connect/node-options.ts";
import { openClient } from "./connect/open-client.ts";
import { RedisNode } from "./redis-node.ts";

/** More nodes than letters would need other names; nobody runs that many. */
const NODES_MAX = 26;
const CODE_OF_A = 65;

/**
 * Connects to independent Redis masters, one connection each. Connecting goes on in the background, and an
 * acquire waits for it within its node timeout.
 *
 * @param addresses one for each node, all different, at most 26, of any mixture of kinds.
 * @throws RedlockError `misuse` when an address or an option cannot be one, or a node stands twice.
 */
export function createNodes(
  addresses: Iterable<NodeAddress>,
  options: NodeOptions = {},
): readonly LockNode[] {
  assertNodeOptions(options);
  const endpoints = endpointsFrom(addresses, options);
  if (options.durable === true) assertNoneIsReplaced(endpoints);
  const { names } = options;
  if (names !== undefined) assertNames(names, endpoints.length);
  return endpoints.map(
    (endpoint, index) =>
      new RedisNode(
        names?.[index] ?? String.fromCharCode(CODE_OF_A + index),
        {
          givenAs: endpoint.place.kind,
          openClient: () => openClient(endpoint),
          isDeclaredDurable: options.durable === true,
          wantsScripts: options.scripts !== "never",
        },
        () => systemClock.nowMs(),
      ),
  );
}

function endpointsFrom(addresses: unknown, options: NodeOptions): readonly Endpoint[] {
  const endpoints = listFrom(addresses).map((entry, index) =>
    endpointFromEntry(entry, options, `node ${String(index + 1)}`),
  );
  const seen = new Set<string>();
  for (const { place } of endpoints) {
    const identity = identityOf(place);
    if (seen.has(identity)) throw misuse(`the node ${identity} is listed twice: it would be counted twice`);
    seen.add(identity);
  }
  return endpoints;
}

/** A replica that takes over has not all that its master had answered for. */
function assertNoneIsReplaced(endpoints: readonly Endpoint[]): void {
  const replaced = endpoints.find(({ place }) => place.kind === "sentinel" || place.kind === "cluster");
  if (replaced === undefined) return;
  throw misuse(
    "durable is for servers of their own: behind Sentinel or in a Redis Cluster a replica may take over",
  );
}

/** A string could be walked through too, letter by letter: it is one address without its list. */
function listFrom(addresses: unknown): readonly unknown[] {
  const entries = isList(addresses) ? [...addresses] : undefined;
  if (entries !== undefined && entries.length > 0 && entries.length <= NODES_MAX) return entries;
  const given = entries === undefined ? describeGiven(addresses) : `a list of ${String(entries.length)}`;
  throw misuse(
    `createNodes takes a list of 1 to ${String(NODES_MAX)} nodes, as in createNodes(["redis://host:port"]), not ${given}`,
  );
}

/** Whether it can be walked through as a list; a string is none. */
export function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && typeof propertyOf(value, Symbol.iterator) === "function";
}
