/** The hand that breaks things and mends them, in the virtual world: each at the instant in which it is asked to. */
import type { Action } from "../../faults/director.ts";
import { faultTargets, type PlannedFault } from "../../faults/fault.ts";
import type { EventBody, NodeName, WorkerId } from "../../history/event.ts";
import type { WorkerPlan } from "../../workload/worker-plan.ts";
import type { Link, LinkFault } from "./network/link.ts";
import type { ServiceLine } from "./network/service-line.ts";
import type { VirtualProcess } from "./process/virtual-process.ts";
import type { TokenCounter } from "./token-counter.ts";
import type { VirtualNode } from "./virtual-node.ts";

/** A worker with its process and its links, in the order of the nodes. */
export interface StageWorker {
  readonly process: VirtualProcess;
  readonly links: ReadonlyMap<NodeName, Link>;
  /** To the protected resource. */
  readonly resourceLine: ServiceLine;
  readonly start: (plan: WorkerPlan) => void;
}

export interface Stage {
  readonly nodes: ReadonlyMap<NodeName, VirtualNode>;
  readonly workers: ReadonlyMap<WorkerId, StageWorker>;
  readonly counter: TokenCounter;
}

export class FaultHand {
  readonly #stage: Stage;
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

  #apply({ id, fault }: PlannedFault): void {
    switch (fault.kind) {
      case "pause-worker":
        this.#record({ kind: "worker-paused", worker: fault.worker });
        this.#worker(fault.worker).process.pause(fault.resumeWith);
        return;
      case "suspend-worker":
        this.#record({ kind: "worker-suspended", worker: fault.worker });
        this.#worker(fault.worker).process.suspend();
        return;
      case "jump-worker-clock":
        this.#worker(fault.worker).process.jumpWall(fault.byMs);
        return;
      case "skew-worker-clock":
        this.#worker(fault.worker).process.setClockRate(fault.rate);
        return;
      case "slow-resource":
        this.#worker(fault.worker).resourceLine.slow(id, fault.latencyMs);
        return;
      case "rewind-counter":
        this.#stage.counter.rewind(fault.lostCount);
        return;
      case "crash-worker":
        this.#record({ kind: "worker-killed", worker: fault.worker });
        this.#worker(fault.worker).process.kill();
        return;
      case "cut-link":
      case "slow-link":
      case "lossy-link":
      case "reset-link":
        for (const link of this.#linksOf(fault)) link.apply(id, fault);
        return;
      case "crash-node":
        this.#node(fault.node).goDown("killed");
        return;
      case "lose-power":
        this.#node(fault.node).goDown("power-loss");
        return;
      case "stall-node":
        this.#node(fault.node).stall();
        return;
      case "hold-sync":
        this.#node(fault.node).server.holdSync(true);
        return;
      case "jump-clock":
        this.#node(fault.node).server.jumpClock(fault.byMs);
        return;
      case "skew-clock":
        this.#node(fault.node).server.setClockRate(fault.rate);
        return;
      case "flush-node":
      case "flush-scripts":
      case "evict-key":
      case "delete-key":
        this.#node(fault.node).meddle(fault);
        return;
      case "exchange-node":
        this.#node(fault.node).exchange();
        return;
      case "fail-over":
        this.#node(fault.node).failOver(fault.replica ?? 1);
        return;
      case "hold-replication":
        this.#node(fault.node).holdReplication(fault.replica, true);
        return;
    }
  }

  #heal({ id, fault }: PlannedFault): void {
    switch (fault.kind) {
      case "pause-worker":
        this.#record({ kind: "worker-resumed", worker: fault.worker });
        this.#worker(fault.worker).process.resume();
        return;
      case "suspend-worker":
        this.#record({ kind: "worker-resumed", worker: fault.worker });
        this.#worker(fault.worker).process.wake();
        return;
      case "skew-worker-clock":
        this.#worker(fault.worker).process.setClockRate(1);
        return;
      case "slow-resource":
        this.#worker(fault.worker).resourceLine.heal(id);
        return;
      case "hold-replication":
        this.#node(fault.node).holdReplication(fault.replica, false);
        return;
      case "cut-link":
      case "slow-link":
      case "lossy-link":
        for (const link of this.#linksOf(fault)) link.heal(id, fault);
        return;
      case "crash-node":
      case "lose-power":
        this.#node(fault.node).server.comeUp();
        return;
      case "stall-node":
        this.#node(fault.node).resume();
        return;
      case "hold-sync":
        this.#node(fault.node).server.holdSync(false);
        return;
      case "skew-clock":
        this.#node(fault.node).server.setClockRate(1);
        return;
      case "crash-worker":
      case "jump-clock":
      case "jump-worker-clock":
      case "reset-link":
      case "flush-node":
      case "flush-scripts":
      case "evict-key":
      case "delete-key":
      case "exchange-node":
      case "fail-over":
      case "rewind-counter":
        // The dead stay dead, and a step is not taken back: the director hands out no heal for these.
        return;
    }
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
