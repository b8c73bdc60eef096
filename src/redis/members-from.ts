import { misuse } from "../misuse.ts";
import type { LockNode } from "../ports/node.ts";
import { isIoredisClient, propertyOf } from "./connect/client-kinds.ts";
import type { NodeAddress } from "./connect/node-address.ts";
import { createNodes, isList } from "./create-nodes.ts";

/**
 * The nodes of a list that holds nodes, or addresses and clients from which they are made.
 *
 * @throws RedlockError `misuse` when it holds both, or something else; the nodes in it are closed then.
 */
export function membersFrom(given: Iterable<LockNode | NodeAddress>): readonly LockNode[] {
  // A string, and what cannot be walked through: it says what is wrong with it.
  if (!isList(given)) return createNodes(given);
  const nodes: LockNode[] = [];
  const addresses: NodeAddress[] = [];
  for (const entry of given) {
    if (isLockNode(entry)) nodes.push(entry);
    else addresses.push(entry);
  }
  if (addresses.length === 0) return nodes;
  if (nodes.length > 0) {
    for (const node of nodes) void node.close();
    throw misuse("a list of nodes holds what createNodes gives, or addresses and clients, but not both");
  }
  return createNodes(addresses);
}

function isLockNode(entry: LockNode | NodeAddress): entry is LockNode {
  return (
    !isIoredisClient(entry) &&
    typeof propertyOf(entry, "name") === "string" &&
    typeof propertyOf(entry, "send") === "function" &&
    typeof propertyOf(entry, "close") === "function"
  );
}
