/** What a backend brings to a run: the servers, and the links between workers and nodes. */
import type { NodeName, WorkerId } from "../../../history/event.ts";
import type { RunPlan } from "../../../scenario/run-plan.ts";
import type { NodeServer } from "../node-server.ts";
import type { Link, LinkFaults } from "../proxy/link-faults.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { Closers } from "./closers.ts";
import type { PortPlan } from "./plan-ports.ts";

export interface ServersOptions {
  readonly plan: RunPlan;
  readonly supervisor: Supervisor;
  readonly runLabel: string;
  /** A folder of the run's own. */
  readonly folder: string;
  readonly ports: PortPlan;
  /** Told of everything that is opened before it can fail. */
  readonly closers: Closers;
}

export interface Servers {
  /** In the order of the plan. */
  readonly nodes: readonly NodeServer[];
  /** Open: one for each pair of worker and node. */
  readonly links: LinkFaults;
  /** Where fencing tokens are drawn; no fault touches it. */
  readonly counterUrl: string;
  /** Where a worker reaches a node. */
  readonly linkUrl: (worker: WorkerId, node: NodeName) => string;
}

/** Rejects with an InfrastructureError when something cannot be started. */
export type OpenServers = (options: ServersOptions) => Promise<Servers>;

/** One link for each pair of worker and node. */
export function linksOf(
  { nodes, workers }: Pick<RunPlan, "nodes" | "workers">,
  ends: (worker: WorkerId, node: NodeName) => Pick<Link, "listen" | "upstream">,
): readonly Link[] {
  return workers.flatMap(({ id: worker }) => nodes.map((node) => ({ worker, node, ...ends(worker, node) })));
}
