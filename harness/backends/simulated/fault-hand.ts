/** The hand that breaks things and mends them, in the virtual world: each at the instant in which it is asked to. */
import type { Action } from "../../faults/director.ts";
import { isLinkFault, isWorkerFault, type LinkFault } from "../../faults/fault-families.ts";
import { FaultsInForce } from "../../faults/faults-in-force.ts";
import { type Fault, faultTargets, type PlannedFault } from "../../faults/fault.ts";
import type { EventBody, NodeName, WorkerId } from "../../history/event.ts";
import type { WorkerPlan } from "../../workload/worker-plan.ts";
import { applyToNode, healNode } from "./node-faults.ts";
import type { Link } from "./network/link.ts";
import type { TokenCounter } from "./token-counter.ts";
import type { VirtualNode } from "./virtual-node.ts";
import { applyToWorker, healWorker, type WorkerOnStage } from "./worker-faults.ts";

/** A worker with its process and its links, in the order of the nodes. */
export interface StageWorker extends WorkerOnStage {
  readonly links: ReadonlyMap<NodeName, Link>;
  readonly start: (plan: WorkerPlan) => void;
}

export interface Stage {
  readonly nodes: ReadonlyMap<NodeName, VirtualNode>;
  readonly workers: ReadonlyMap<WorkerId, StageWorker>;
  readonly counter: TokenCounter;
}

export class FaultHand {
  readonly #stage: Stage;
  readonly #inForce = new FaultsInForce();
  readonly #record: (body: EventBody) => void;

  constructor(stage: Stage, record: (body: EventBody) => void) {
    this.#stage = stage;
    this.#record = record;
  }

  perform(action: Action): void {
    switch (action.kind) {
      case "start-worker": {
        const { process, start } = this.#worker(action.worker.id);
        process.receive(() => start(action.worker));
        return;
      }
      case "apply-fault":
        this.#apply(action.fault);
        this.#announce("fault-applied", action.fault);
        return;
      case "heal-fault":
        this.#heal(action.fault);
        this.#announce("fault-healed", action.fault);
        return;
    }
  }

  #announce(kind: "fault-applied" | "fault-healed", { id, fault }: PlannedFault): void {
    this.#record({ kind, fault: id, ...faultTargets(fault) });
  }

  #apply(planned: PlannedFault): void {
    const already = this.#inForce.apply(planned);
    // What is down or stands still already stays so; what was not durable goes all the same.
    if (already === undefined || isFeltTwice(planned.fault)) this.#bring(planned);
  }

  #bring({ id, fault }: PlannedFault): void {
    if (fault.kind === "rewind-counter") this.#stage.counter.rewind(fault.lostCount);
    else if (isLinkFault(fault)) for (const link of this.#linksOf(fault)) link.apply(id, fault);
    else if (isWorkerFault(fault)) applyToWorker(id, fault, this.#worker(fault.worker));
    else applyToNode(fault, this.#node(fault.node));
  }

  /** The dead stay dead, and a step is not taken back: the director hands out no heal for these. */
  #heal(planned: PlannedFault): void {
    const { id, fault } = planned;
    const goesOn = this.#inForce.heal(planned);
    if (goesOn !== undefined) {
      if (isRate(goesOn.fault)) this.#bring(goesOn);
      return;
    }
    if (fault.kind === "rewind-counter") return;
    if (isLinkFault(fault)) for (const link of this.#linksOf(fault)) link.heal(id, fault);
    else if (isWorkerFault(fault)) healWorker(id, fault, this.#worker(fault.worker));
    else healNode(fault, this.#node(fault.node));
  }

  #linksOf({ workers, nodes }: LinkFault): readonly Link[] {
    return workers.flatMap((worker) => nodes.flatMap((node) => this.#worker(worker).links.get(node) ?? []));
  }

  #node(name: NodeName): VirtualNode {
    const node = this.#stage.nodes.get(name);
    if (node === undefined) throw new Error(`the plan has no node ${name}`);
    return node;
  }

  #worker(id: WorkerId): StageWorker {
    const worker = this.#stage.workers.get(id);
    if (worker === undefined) throw new Error(`the plan has no worker ${id}`);
    return worker;
  }
}

/** Of two rates the later one counts, and then the one that is left. */
function isRate({ kind }: Fault): boolean {
  return kind === "skew-clock" || kind === "skew-worker-clock";
}

function isFeltTwice(fault: Fault): boolean {
  return isRate(fault) || fault.kind === "lose-power";
}
