/** The nodes that are out of reach, in each of the three ways. */
import type { NodeName, WorkerId } from "../../harness/history/event.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { NamedFault } from "../../harness/scenario/story-parts.ts";

export interface OutageTargets {
  readonly workers: readonly WorkerId[];
  readonly nodes: readonly NodeName[];
  /** Without: to the end of the run. */
  readonly forMs?: number;
}

export function outageFaults(
  { outage }: LabSettings,
  { workers, nodes, forMs }: OutageTargets,
): readonly NamedFault[] {
  if (outage === "kill") {
    const down = forMs === undefined ? {} : { downForMs: forMs };
    return nodes.map((node) => [`kill-${node.toLowerCase()}`, { kind: "crash-node", node, ...down }]);
  }
  const length = forMs === undefined ? {} : { forMs };
  return [["outage", { kind: "cut-link", workers, nodes, how: outage, ...length }]];
}
