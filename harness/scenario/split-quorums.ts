/**
 * Two workers, each cut off from the nodes that the other one can do without: the worst cut that still leaves
 * both a quorum. They meet on 2q - N nodes, and exclusion lasts while one of these remembers.
 */
import type { NodeName } from "../history/event.ts";
import type { LabSettings } from "./lab-settings.ts";
import { nodeNames } from "./node-names.ts";
import type { NamedFault } from "./story-parts.ts";

export interface SplitQuorums {
  /** The nodes within reach of W1. */
  readonly first: readonly NodeName[];
  /** The nodes within reach of W2. */
  readonly last: readonly NodeName[];
  /** The middle one of the nodes that both reach. */
  readonly shared: NodeName;
  /** How many nodes both reach: as many have to forget before both can be granted. */
  readonly sharedCount: number;
  /** To be applied before anybody starts, and never healed; none where both need all nodes. */
  readonly cuts: readonly NamedFault[];
}

/** W1 gets the first `quorum` nodes and W2 the last; what is sent to any other node is lost in silence. */
export function splitQuorums({ nodeCount, quorum }: LabSettings): SplitQuorums {
  const nodes = nodeNames(nodeCount);
  const first = nodes.slice(0, quorum);
  const last = nodes.slice(nodeCount - quorum);
  const shared = first.filter((node) => last.includes(node));
  const middle = shared[Math.floor((shared.length - 1) / 2)];
  if (middle === undefined) throw new Error("A quorum below the majority was let through.");
  return {
    first,
    last,
    shared: middle,
    sharedCount: shared.length,
    cuts: nodeCount === quorum ? [] : cutsBetween(nodes, quorum),
  };
}

function cutsBetween(nodes: readonly NodeName[], quorum: number): readonly NamedFault[] {
  const beyondFirst = nodes.slice(quorum);
  const beforeLast = nodes.slice(0, nodes.length - quorum);
  return [
    ["cut-w1", { kind: "cut-link", workers: ["W1"], nodes: beyondFirst, how: "lose" }],
    ["cut-w2", { kind: "cut-link", workers: ["W2"], nodes: beforeLast, how: "lose" }],
  ];
}
