/** Who holds a resource, as the nodes' keys show it: for people and tools that look, never to decide a lock by. */
import type { LockNode } from "./ports/node.ts";
import type { NodeLook } from "./ports/node-look.ts";

/** What the nodes showed of one resource. It is past when it is read. */
export interface Inspection {
  readonly resource: string;
  /**
   * - `held`: one value on a quorum of nodes. Whether its owner still believes in it only the owner knows.
   * - `free`: no value can be on a quorum, and a quorum of nodes has none: an acquire would be granted.
   * - `split`: no value can be on a quorum, but those that are on some nodes keep others out: attempts under way, or
   *   keys that were left and will expire.
   * - `unknown`: too few nodes could be looked at.
   */
  readonly state: "held" | "free" | "split" | "unknown";
  /** The owner value on the most nodes; `undefined` where no node has one. */
  readonly value: string | undefined;
  /** Nodes with that value. */
  readonly nodeCount: number;
  /**
   * Milliseconds until too few nodes have that value for a quorum, by the nodes' clocks; 0 where they are too few
   * already, `undefined` where that many keys never expire or no node has one.
   */
  readonly leftMs: number | undefined;
  /** What each node showed, in the order of the membership. */
  readonly nodes: readonly NodeLook[];
}

const CANNOT_BE_LOOKED_AT = "it cannot be looked at";

/** Looks at every node within `limitMs`. Never rejects. */
export function lookAtAll(
  nodes: readonly LockNode[],
  resource: string,
  limitMs: number,
): Promise<readonly NodeLook[]> {
  return Promise.all(nodes.map((node) => lookAt(node, resource, limitMs)));
}

async function lookAt(node: LockNode, resource: string, limitMs: number): Promise<NodeLook> {
  const look = await node.look?.(resource, limitMs);
  return look ?? { kind: "unknown", node: node.name, cause: CANNOT_BE_LOOKED_AT };
}

/** Pure. */
export function inspectionFrom(resource: string, nodes: readonly NodeLook[], quorum: number): Inspection {
  const keys = keysOfTheMost(nodes);
  return {
    resource,
    state: stateFrom(nodes, keys.length, quorum),
    value: keys[0]?.value,
    nodeCount: keys.length,
    leftMs: leftMsOfQuorum(keys, quorum),
    nodes,
  };
}

type Found = Extract<NodeLook, { kind: "found" }>;

function stateFrom(nodes: readonly NodeLook[], keyCount: number, quorum: number): Inspection["state"] {
  const countOf = (kind: NodeLook["kind"]): number => nodes.filter((look) => look.kind === kind).length;
  if (keyCount >= quorum) return "held";
  if (keyCount + countOf("unknown") >= quorum) return "unknown";
  return countOf("missing") >= quorum ? "free" : "split";
}

/** Where two values are on equally many nodes, the one that was seen first. */
function keysOfTheMost(nodes: readonly NodeLook[]): readonly Found[] {
  const groups = new Map<string, Found[]>();
  for (const look of nodes) {
    if (look.kind !== "found") continue;
    const group = groups.get(look.value);
    if (group === undefined) groups.set(look.value, [look]);
    else group.push(look);
  }
  return [...groups.values()].reduce<readonly Found[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
}

/** When the quorum-th of the keys that last longest is gone. */
function leftMsOfQuorum(keys: readonly Found[], quorum: number): number | undefined {
  if (keys.length === 0) return undefined;
  if (keys.length < quorum) return 0;
  const byTimeLeft = keys.map(({ leftMs }) => leftMs ?? Number.POSITIVE_INFINITY).toSorted((a, b) => b - a);
  const leftMs = byTimeLeft[quorum - 1];
  return leftMs === Number.POSITIVE_INFINITY ? undefined : leftMs;
}
