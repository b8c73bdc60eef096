/** The same story on a smaller cluster: some nodes go, and with them what befell them; the others move up. */
import { type Fault, faultTargets, type PlannedFault } from "../faults/fault.ts";
import type { NodeName } from "../history/event.ts";
import { nodeNames } from "../scenario/node-names.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { majorityOf } from "../scenario/settings-rules.ts";

/** The smallest cluster that can lose a node. */
const NODE_COUNT_MIN = 3;

/** Two nodes less in every way there is, so that a majority stays one more than half. */
export function withFewerNodes(plan: RunPlan): readonly RunPlan[] {
  const { nodes, settings, staging } = plan;
  // What a story demands of nodes by their names cannot be told of others.
  if (nodes.length - 2 < NODE_COUNT_MIN || staging.length > 0 || plan.messages !== undefined) return [];
  return nodes.flatMap((one, at) =>
    nodes.slice(at + 1).map((other) => {
      const kept = nodes.filter((node) => node !== one && node !== other);
      const names = nodeNames(kept.length);
      const newName = new Map(kept.map((node, place) => [node, names[place] ?? node]));
      return {
        ...plan,
        nodes: names,
        settings: { ...settings, nodeCount: names.length, quorum: majorityOf(names.length) },
        faults: plan.faults.flatMap((planned) => renamed(planned, newName)),
      };
    }),
  );
}

/** Nothing where the fault, or what it waits for, concerns only nodes that have gone. */
function renamed(planned: PlannedFault, newName: ReadonlyMap<NodeName, NodeName>): readonly PlannedFault[] {
  const { when } = planned;
  if ("event" in when && when.event.node !== undefined) return [];
  const fault = onNodes(planned.fault, newName);
  return fault === undefined ? [] : [{ ...planned, fault }];
}

function onNodes(fault: Fault, newName: ReadonlyMap<NodeName, NodeName>): Fault | undefined {
  if (faultTargets(fault).nodes.length === 0) return fault;
  if ("nodes" in fault) {
    const nodes = fault.nodes.flatMap((node) => newName.get(node) ?? []);
    return nodes.length === 0 ? undefined : { ...fault, nodes };
  }
  if (!("node" in fault)) return fault;
  const node = newName.get(fault.node);
  return node === undefined ? undefined : { ...fault, node };
}
