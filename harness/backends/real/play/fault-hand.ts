/** The hand that breaks things and mends them: performs faults on the processes, proxies and clocks of a run. */
import type { Action } from "../../../faults/director.ts";
import { FaultsInForce } from "../../../faults/faults-in-force.ts";
import { type Fault, faultTargets, type PlannedFault } from "../../../faults/fault.ts";
import {
  type FaultOf,
  isLinkFault,
  isWorkerFault,
  type LinkFault,
  type NodeFault,
  type WorkerFault,
} from "../../../faults/fault-families.ts";
import type { EventBody, NodeName, WorkerId } from "../../../history/event.ts";
import { InfrastructureError } from "../../../lab-error.ts";
import type { ClockControl } from "../clock/clock-control.ts";
import type { RunClock } from "./run-clock.ts";
import type { WorkerProcess } from "../worker/worker-process.ts";
import type { LinkFaults } from "../proxy/link-faults.ts";
import type { ResourceServer } from "../resource/resource-server.ts";
import type { StageNode } from "./stage-node.ts";

export interface Stage {
  readonly clock: RunClock;
  readonly nodes: ReadonlyMap<NodeName, StageNode>;
  readonly workers: ReadonlyMap<WorkerId, WorkerProcess>;
  readonly links: LinkFaults;
  readonly resource: ResourceServer;
  readonly record: (body: EventBody, atMs?: number) => void;
}

export class FaultHand {
  readonly #stage: Stage;
  readonly #inForce = new FaultsInForce();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** @throws InfrastructureError when it cannot be done. */
  async perform(action: Action): Promise<void> {
    switch (action.kind) {
      case "start-worker":
        this.#worker(action.worker.id).go(this.#stage.clock.originNs);
        return;
      case "apply-fault":
        await this.#apply(action.fault);
        this.#announce("fault-applied", action.fault);
        return;
      case "heal-fault":
        await this.#heal(action.fault);
        this.#announce("fault-healed", action.fault);
        return;
    }
  }

  #announce(kind: "fault-applied" | "fault-healed", { id, fault }: PlannedFault): void {
    this.#stage.record({ kind, fault: id, ...faultTargets(fault) });
  }

  async #apply(planned: PlannedFault): Promise<void> {
    const { id, fault } = planned;
    const already = this.#inForce.apply(planned);
    // What is down or stands still already stays so; of two rates the later one counts.
    if (already !== undefined && fault.kind !== "skew-clock") return;
    if (isLinkFault(fault)) await this.#applyToLinks(id, fault);
    else if (isWorkerFault(fault)) await this.#applyToWorker(id, fault);
    else await this.#applyToNode(fault);
  }

  async #applyToLinks(id: string, fault: LinkFault): Promise<void> {
    const { links } = this.#stage;
    switch (fault.kind) {
      case "cut-link":
      case "slow-link":
        await links.apply(id, fault);
        return;
      case "reset-link":
        await links.apply(id, { ...fault, kind: "cut-link", how: "refuse" });
        await links.heal(id);
        return;
      case "lossy-link":
        throw notHere(fault);
    }
  }

  async #applyToWorker(id: string, fault: WorkerFault): Promise<void> {
    const { worker } = fault;
    switch (fault.kind) {
      case "pause-worker":
        this.#worker(worker).pause();
        this.#stage.record({ kind: "worker-paused", worker });
        return;
      case "crash-worker":
        this.#stage.record({ kind: "worker-killed", worker });
        await this.#worker(worker).kill();
        return;
      case "slow-resource":
        this.#stage.resource.slow(id, fault);
        return;
      case "suspend-worker":
      case "jump-worker-clock":
      case "skew-worker-clock":
        throw notHere(fault);
    }
  }

  async #applyToNode(fault: NodeFault | FaultOf<"rewind-counter">): Promise<void> {
    switch (fault.kind) {
      case "crash-node":
        await this.#node(fault.node).goDown("killed");
        return;
      case "lose-power":
        await this.#node(fault.node).goDown("power-loss");
        return;
      case "stall-node":
        await this.#node(fault.node).stall();
        return;
      case "hold-sync":
        this.#clockOf(fault.node).holdSync(true);
        return;
      case "jump-clock":
      case "skew-clock":
        this.#moveClock(fault);
        return;
      case "flush-node":
      case "flush-scripts":
      case "delete-key":
        await this.#node(fault.node).meddle(fault);
        return;
      case "exchange-node":
        await this.#node(fault.node).exchange();
        return;
      case "evict-key":
      case "fail-over":
      case "hold-replication":
      case "rewind-counter":
        throw notHere(fault);
    }
  }

  async #heal(planned: PlannedFault): Promise<void> {
    const { id, fault } = planned;
    const goesOn = this.#inForce.heal(planned);
    if (goesOn !== undefined) {
      if (goesOn.fault.kind === "skew-clock") this.#moveClock(goesOn.fault);
      return;
    }
    switch (fault.kind) {
      case "pause-worker":
        this.#worker(fault.worker).resume();
        this.#stage.record({ kind: "worker-resumed", worker: fault.worker });
        return;
      case "cut-link":
      case "slow-link":
        await this.#stage.links.heal(id);
        return;
      case "slow-resource":
        this.#stage.resource.heal(id);
        return;
      case "crash-node":
      case "lose-power":
        await this.#node(fault.node).comeUp();
        return;
      case "stall-node":
        await this.#node(fault.node).resume();
        return;
      case "hold-sync":
        this.#clockOf(fault.node).holdSync(false);
        return;
      case "skew-clock":
        this.#moveClock({ ...fault, rate: 1 });
        return;
      default:
        // The dead stay dead, and a step is not taken back: the director hands out no heal for these.
        return;
    }
  }

  #moveClock(fault: Extract<Fault, { kind: "jump-clock" | "skew-clock" }>): void {
    const { node } = fault;
    const control = this.#clockOf(node);
    if (fault.kind === "jump-clock") {
      const atMs = this.#stage.clock.fromNs(control.jump(fault.byMs));
      this.#stage.record({ kind: "clock-jumped", node, byMs: fault.byMs }, atMs);
    } else {
      const atMs = this.#stage.clock.fromNs(control.setRate(fault.rate));
      this.#stage.record({ kind: "clock-rate-set", node, rate: fault.rate }, atMs);
    }
  }

  #clockOf(node: NodeName): ClockControl {
    const { clockControl } = this.#node(node).server;
    if (clockControl === undefined) {
      throw new InfrastructureError(`The clock of node ${node} cannot be moved: that needs the clock shim.`);
    }
    return clockControl;
  }

  #node(name: NodeName): StageNode {
    const node = this.#stage.nodes.get(name);
    if (node === undefined) throw new Error(`the plan has no node ${name}`);
    return node;
  }

  #worker(id: WorkerId): WorkerProcess {
    const worker = this.#stage.workers.get(id);
    if (worker === undefined) throw new Error(`the plan has no worker ${id}`);
    return worker;
  }
}

/** The backend refuses a plan that asks for it before anything is started. */
function notHere({ kind }: Fault): Error {
  return new Error(`real servers cannot ${kind}`);
}
