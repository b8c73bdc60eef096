/**
 * A worker process: the workload on the real coordinator. It writes its events with a blocking write to a
 * pipe, so that nothing it has stamped is lost when it is killed, and leaves when the lab's end of its
 * standard input closes.
 */
import { writeSync } from "node:fs";
import { createNodes, createRedisCounter, type LockNode, Redlock } from "../../../../src/index.ts";
import { RETRY } from "../../../workload/retry.ts";
import { worker } from "../../../workload/worker-procedure.ts";
import { jsonLine, onJsonLine } from "../json-lines.ts";
import { connectToResource } from "../resource/resource-client.ts";
import { RunClock } from "../play/run-clock.ts";
import { warmUp } from "./warm-up.ts";
import { WorkerDriver } from "./worker-driver.ts";
import { isWorkerGo, isWorkerInit, type WorkerInit, type WorkerMessage } from "./worker-protocol.ts";

const EVENTS_FD = 3;

function tell(message: WorkerMessage): void {
  try {
    writeSync(EVENTS_FD, jsonLine(message));
  } catch {
    // The lab has gone: nobody reads what this worker does.
    process.exit(0);
  }
}

function main(): void {
  let start: ((originNs: bigint) => void) | undefined;
  onJsonLine(process.stdin, (message) => {
    if (isWorkerInit(message)) {
      prepare(message)
        .then((run) => {
          start = run;
          tell({ kind: "ready" });
        })
        .catch(tellFault);
    } else if (isWorkerGo(message)) {
      start?.(BigInt(message.originNs));
    }
  });
  process.stdin.once("end", () => process.exit(0));
}

/** Everything that the story must not wait for. */
async function prepare(init: WorkerInit): Promise<(originNs: bigint) => void> {
  const { plan, quorum, nodeTimeoutMs, driftFactor, longestLifetimeMs, counterUrl } = init;
  const redlock = new Redlock(membersOf(init), {
    quorum,
    nodeTimeoutMs,
    driftFactor,
    restartGuard: longestLifetimeMs === undefined ? "off" : { longestLifetimeMs },
    ...RETRY,
  });
  const tokens = counterUrl === undefined ? undefined : createRedisCounter(counterUrl);
  const askResource = await connectToResource(init.resourcePort);
  await warmUp(redlock, { workerId: plan.id, longestLifetimeMs }, tokens);
  return (originNs) => {
    const clock = new RunClock(originNs);
    const driver = new WorkerDriver({
      id: plan.id,
      redlock,
      tokens,
      clock,
      note: (event) => tell({ kind: "event", atMs: clock.nowMs(), event }),
      askResource,
    });
    driver.run(worker(plan, { fencing: tokens !== undefined })).catch(tellFault);
  };
}

/** The coordinator names its nodes by their place; a membership that leaves some out keeps the others' names. */
function membersOf({ nodes }: WorkerInit): readonly LockNode[] {
  return createNodes(nodes.map(({ url }) => url)).map((node, index) => ({
    name: nodes[index]?.name ?? node.name,
    send: (command, untilMs, settle) => node.send(command, untilMs, settle),
    close: () => node.close(),
  }));
}

function tellFault(fault: unknown): void {
  tell({ kind: "fault", sentence: fault instanceof Error ? fault.message : String(fault) });
}

main();
