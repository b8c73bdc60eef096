/** What befalls a worker and its machine in the virtual world. */
import type { WorkerFault } from "../../faults/fault-families.ts";
import type { EventBody } from "../../history/event.ts";
import type { ServiceLine } from "./network/service-line.ts";
import type { VirtualProcess } from "./process/virtual-process.ts";

export interface WorkerOnStage {
  readonly process: VirtualProcess;
  /** To the protected resource. */
  readonly resourceLine: ServiceLine;
  readonly record: (body: EventBody) => void;
}

export function applyToWorker(
  id: string,
  fault: WorkerFault,
  { process, resourceLine, record }: WorkerOnStage,
): void {
  const { worker } = fault;
  switch (fault.kind) {
    case "pause-worker":
      record({ kind: "worker-paused", worker });
      process.pause(fault.resumeWith);
      return;
    case "suspend-worker":
      record({ kind: "worker-suspended", worker });
      process.suspend();
      return;
    case "crash-worker":
      record({ kind: "worker-killed", worker });
      process.kill();
      return;
    case "jump-worker-clock":
      process.jumpWall(fault.byMs);
      return;
    case "skew-worker-clock":
      process.setClockRate(fault.rate);
      return;
    case "slow-resource":
      resourceLine.slow(id, fault.latencyMs);
      return;
  }
}

export function healWorker(
  id: string,
  fault: WorkerFault,
  { process, resourceLine, record }: WorkerOnStage,
): void {
  const { worker } = fault;
  switch (fault.kind) {
    case "pause-worker":
      if (!process.isSuspended) record({ kind: "worker-resumed", worker });
      process.resume();
      return;
    case "suspend-worker":
      if (!process.isPaused) record({ kind: "worker-resumed", worker });
      process.wake();
      return;
    case "skew-worker-clock":
      process.setClockRate(1);
      return;
    case "slow-resource":
      resourceLine.heal(id);
      return;
    case "crash-worker":
    case "jump-worker-clock":
      return;
  }
}
