/** Which of a run's reserved ports serves what. */
import type { NodeName, WorkerId } from "../../../history/event.ts";
import type { RunPlan } from "../../../scenario/run-plan.ts";

export interface PortPlan {
  readonly toxiproxyPort: number;
  readonly counterPort: number;
  readonly resourcePort: number;
  readonly nodePort: (node: NodeName) => number;
  readonly linkPort: (worker: WorkerId, node: NodeName) => number;
}

/** Toxiproxy's control interface, the fencing counter, and the protected resource. */
const SINGLE_PORTS = 3;

type Cast = Pick<RunPlan, "nodes" | "workers">;

export function portCount({ nodes, workers }: Cast): number {
  return SINGLE_PORTS + nodes.length + nodes.length * workers.length;
}

/** @param ports at least `portCount` of them. */
export function planPorts({ nodes, workers }: Cast, ports: readonly number[]): PortPlan {
  const portAt = (index: number): number => {
    const port = ports[index];
    if (port === undefined) throw new RangeError(`port ${index} of a run was never reserved`);
    return port;
  };
  const nodeIndexOf = (node: NodeName): number => nodes.indexOf(node);
  const workerIndexOf = (worker: WorkerId): number => workers.findIndex(({ id }) => id === worker);
  return {
    toxiproxyPort: portAt(0),
    counterPort: portAt(1),
    resourcePort: portAt(2),
    nodePort: (node) => portAt(SINGLE_PORTS + nodeIndexOf(node)),
    linkPort: (worker, node) =>
      portAt(SINGLE_PORTS + nodes.length * (1 + workerIndexOf(worker)) + nodeIndexOf(node)),
  };
}
