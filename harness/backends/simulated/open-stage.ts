/** Sets the stage of a run: nodes, workers' processes, and a link of its own for each pair of them. */
import type { Rules } from "../../../src/core/rules.ts";
import { rulesFrom } from "../../../src/options.ts";
import type { EventBody, NodeName, WorkerId } from "../../history/event.ts";
import type { RandomStream } from "../../random/random-stream.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import { ProtectedResource } from "../../workload/protected-resource.ts";
import { RETRY } from "../../workload/retry.ts";
import { worker } from "../../workload/worker-procedure.ts";
import type { EventQueue } from "./event-queue.ts";
import type { Stage, StageWorker } from "./fault-hand.ts";
import { Link } from "./network/link.ts";
import { ServiceLine } from "./network/service-line.ts";
import { SimulatedNode } from "./node/simulated-node.ts";
import { VirtualProcess } from "./process/virtual-process.ts";
import { startWorker, type WorkerWorld } from "./process/worker-run.ts";
import { TokenCounter } from "./token-counter.ts";
import { VirtualNode } from "./virtual-node.ts";

export interface StageParts {
  readonly plan: RunPlan;
  readonly queue: EventQueue;
  readonly random: RandomStream;
  readonly record: (body: EventBody) => void;
  /** Lets the faults happen that the last event brings. */
  readonly conduct: () => void;
}

/** What all workers share. */
interface Surroundings extends StageParts {
  readonly nodes: readonly VirtualNode[];
  readonly rules: Rules;
  readonly resource: ProtectedResource;
  readonly counter: TokenCounter;
}

/** A second hand may stand anywhere when a run begins: background syncs go by it. */
const WALL_START_COUNT = 1000;
/** Random bits of an owner value come 32 at a time. */
const VALUE_WORDS = 5;
const HEX_DIGITS_PER_WORD = 8;

export function openStage(parts: StageParts): Stage {
  const { settings, nodes: names, workers } = parts.plan;
  const nodes = names.map((name) => openNode(name, parts));
  const surroundings: Surroundings = {
    ...parts,
    nodes,
    rules: rulesFrom(nodes, { ...RETRY, ...rulesOptions(settings) }),
    resource: new ProtectedResource({ fencing: settings.fencing }),
    counter: new TokenCounter(),
  };
  return {
    nodes: new Map(nodes.map((node) => [node.name, node])),
    workers: new Map(workers.map(({ id }) => [id, openWorker(id, surroundings)])),
  };
}

function rulesOptions({
  quorum,
  nodeTimeoutMs,
  driftFactor,
}: RunPlan["settings"]): Pick<RunPlan["settings"], "quorum" | "nodeTimeoutMs" | "driftFactor"> {
  return { quorum, nodeTimeoutMs, driftFactor };
}

function openNode(name: NodeName, { plan, queue, random, record, conduct }: StageParts): VirtualNode {
  const { persistence } = plan.settings;
  const wallStartMs = random.fork(`clock ${name}`).below(WALL_START_COUNT);
  const server = new SimulatedNode({ name, persistence, nowMs: () => queue.nowMs, record, wallStartMs });
  return new VirtualNode({ name, server, record, afterCommand: conduct });
}

function openWorker(id: WorkerId, surroundings: Surroundings): StageWorker {
  const { queue, plan } = surroundings;
  const random = surroundings.random.fork(id);
  const process = new VirtualProcess({ id, queue, random });
  const links = new Map(
    surroundings.nodes.map((node) => [
      node.name,
      new Link({ queue, process, node, random: random.fork(`link ${node.name}`) }),
    ]),
  );
  const world = worldOf({ process, links, random }, surroundings);
  const { fencing } = plan.settings;
  return { process, links, start: (own) => startWorker(worker(own, { fencing }), world) };
}

function worldOf(
  own: {
    readonly process: VirtualProcess;
    readonly links: ReadonlyMap<NodeName, Link>;
    readonly random: RandomStream;
  },
  { queue, rules, resource, counter, record, conduct }: Surroundings,
): WorkerWorld {
  const { process, links, random } = own;
  const lineTo = (service: string): ServiceLine =>
    new ServiceLine({ queue, process, random: random.fork(`line ${service}`) });
  const toCounter = lineTo("counter");
  const toResource = lineTo("resource");
  const values = random.fork("values");
  const backoff = random.fork("backoff");
  return {
    process,
    links: [...links.values()],
    listeners: new Map(),
    rules,
    drawValue: () => drawValue(values),
    drawFraction: () => backoff.fraction(),
    drawToken: (name, settle) => toCounter.ask(() => counter.next(name), settle),
    conduct,
    note: record,
    write: (request, settle) => {
      const judge = (): boolean => {
        const judged = resource.judge(request);
        record(judged);
        return judged.accepted;
      };
      toResource.ask(judge, settle);
    },
  };
}

function drawValue(random: RandomStream): string {
  let value = "";
  for (let word = 0; word < VALUE_WORDS; word += 1) {
    value += random.uint32().toString(16).padStart(HEX_DIGITS_PER_WORD, "0");
  }
  return value;
}
