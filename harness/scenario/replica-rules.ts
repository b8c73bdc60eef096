/** What a story may ask of a node's replicas: there have to be so many, and one is promoted only once. */
import type { Story } from "./run-plan.ts";

/** One sentence about the first thing that cannot be done with so many replicas. */
export function firstReplicaMistake({ workers, faults }: Story, replicaCount: number): string | undefined {
  const reader = workers.find(({ checksReplica }) => checksReplica === true);
  if (reader !== undefined && replicaCount === 0) {
    return `worker ${reader.id} asks a replica, but nodes have none; set replicaCount.`;
  }
  const failOverCounts = new Map<string, number>();
  const promoted = new Set<string>();
  for (const { id, fault } of faults) {
    if (fault.kind !== "fail-over" && fault.kind !== "hold-replication") continue;
    const { node, replica = 1 } = fault;
    if (replica > replicaCount)
      return `fault ${id} needs ${replica} replicas, but nodes have ${replicaCount}.`;
    if (fault.kind === "hold-replication") continue;
    const failOverCount = (failOverCounts.get(node) ?? 0) + 1;
    failOverCounts.set(node, failOverCount);
    const name = `${node} ${fault.replica ?? ""}`;
    if (failOverCount > replicaCount || (fault.replica !== undefined && promoted.has(name))) {
      return `fault ${id} fails over to a replica that has become the master of node ${node} before.`;
    }
    promoted.add(name);
  }
  return undefined;
}
