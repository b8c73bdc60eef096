/** Sets the stage of a run: nodes, workers' processes, and a link of its own for each pair of them. */
import { type RedlockOptions, rulesFrom } from "../../../src/options.ts";
import type { EventBody, NodeName } from "../../history/event.ts";
import type { RandomStream } from "../../random/random-stream.ts";
import type { LabSettings } from "../../scenario/lab-settings.ts";
import { longestLifetimeMs } from "../../scenario/longest-lifetime.ts";
import type { RunPlan } from "../../scenario/run-plan.ts";
import { majorityOf } from "../../scenario/settings-rules.ts";
import type { LabEffect } from "../../strategies/lab-effect.ts";
import { strategyOf } from "../../strategies/all-strategies.ts";
import type { Strategy } from "../../strategies/strategy.ts";
import { ProtectedResource } from "../../workload/protected-resource.ts";
import { RETRY } from "../../workload/retry.ts";
import { worker } from "../../workload/worker-procedure.ts";
import type { WorkerPlan } from "../../workload/worker-plan.ts";
import type { EventQueue } from "./event-queue.ts";
import type { Stage, StageWorker } from "./fault-hand.ts";
import { Link } from "./network/link.ts";
import type { MessageScript } from "./network/message-script.ts";
import { ServiceLine } from "./network/service-line.ts";
import { Replication } from "./node/replication.ts";
import { SimulatedNode } from "./node/simulated-node.ts";
import { ShortMap } from "./process/short-map.ts";
import { callsOf } from "./process/strategy-calls.ts";
import { type ProcessClock, VirtualProcess } from "./process/virtual-process.ts";
import { startWorker, type WorkerWorld } from "./process/worker-run.ts";
import { TokenCounter } from "./token-counter.ts";
import { tokenSourceOf } from "./token-source.ts";
import { VirtualNode } from "./virtual-node.ts";

export interface StageParts {
  readonly plan: RunPlan;
  readonly queue: EventQueue;
  readonly random: RandomStream;
  readonly record: (body: EventBody) => void;
  readonly script: MessageScript | undefined;
  /** Called right before each effect of a worker, where some fault waits for that. */
  readonly beforeEffect: ((worker: string, effect: LabEffect["kind"] | "return") => void) | undefined;
  /** Lets the faults happen that the last event brings. */
  readonly conduct: () => void;
}

/** What all workers share. */
interface Surroundings extends StageParts {
  readonly nodes: readonly VirtualNode[];
  readonly strategy: Strategy;
  readonly resource: ProtectedResource;
  readonly counter: TokenCounter;
}

/** What one worker has of its own. */
interface Own {
  readonly plan: WorkerPlan;
  readonly process: VirtualProcess;
  readonly links: readonly Link[];
  readonly random: RandomStream;
  readonly resourceLine: ServiceLine;
  readonly lineTo: (service: string) => ServiceLine;
}

/** A second hand may stand anywhere when a run begins: background syncs go by it. */
const WALL_START_COUNT = 1000;
/** Random bits of an owner value come 32 at a time. */
const VALUE_WORDS = 5;
const BYTE_MASK = 0xff;
/** `00` to `ff`. */
const HEX_BYTES = Array.from({ length: BYTE_MASK + 1 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function openStage(parts: StageParts): Stage {
  const { settings, nodes: names, workers, strategy } = parts.plan;
  const nodes = names.map((name) => openNode(name, parts));
  const surroundings: Surroundings = {
    nodes,
    strategy: strategyOf(strategy),
    resource: new ProtectedResource(settings),
    counter: new TokenCounter(),
    ...parts,
  };
  return {
    nodes: new Map(nodes.map((node) => [node.name, node])),
    workers: new Map(workers.map((plan) => [plan.id, openWorker(plan, surroundings)])),
    counter: surroundings.counter,
  };
}

function openNode(name: NodeName, { plan, queue, random, record, conduct }: StageParts): VirtualNode {
  const { persistence, replicaCount, endsConnections } = plan.settings;
  const replication = new Replication({ queue, random: random.fork(`replication ${name}`), replicaCount });
  const wallStartMs = plan.clockPhaseMs ?? random.fork(`clock ${name}`).below(WALL_START_COUNT);
  const { guard } = rulesFrom(namesOf(plan.nodes), guardOptions(plan));
  const server = new SimulatedNode({
    guard,
    nowMs: () => queue.nowMs,
    onWrite: replicaCount === 0 ? undefined : (resource, key) => replication.noteWrite(resource, key),
    ...{ name, persistence, record, wallStartMs },
  });
  return new VirtualNode({ name, server, replication, record, endsConnections, afterCommand: conduct });
}

function openWorker(plan: WorkerPlan, surroundings: Surroundings): StageWorker {
  const { queue, nodes, script } = surroundings;
  const { id, membership } = plan;
  const random = surroundings.random.fork(id);
  const process = new VirtualProcess({ id, queue, random });
  const links = new Map(
    nodes
      .filter(({ name }) => membership?.includes(name) ?? true)
      .map((node) => [
        node.name,
        new Link({ queue, process, node, script, random: random.fork(`link ${node.name}`) }),
      ]),
  );
  const lineTo = (service: string): ServiceLine =>
    new ServiceLine({ queue, process, random: random.fork(`line ${service}`) });
  const own: Own = {
    plan,
    process,
    links: [...links.values()],
    random,
    resourceLine: lineTo("resource"),
    lineTo,
  };
  const world: WorkerWorld = Object.assign(worldOf(own, surroundings), resourceOf(own, surroundings));
  const { fencing } = surroundings.plan.settings;
  return {
    process,
    links,
    resourceLine: own.resourceLine,
    record: surroundings.record,
    start: (started) => startWorker(worker(started, { fencing }), world),
  };
}

type Resource = Pick<WorkerWorld, "read" | "stamp" | "write" | "askReplica">;

function worldOf(own: Own, surroundings: Surroundings): Omit<WorkerWorld, keyof Resource> {
  const { process, links, random, lineTo } = own;
  const { plan, strategy, counter, record, conduct, beforeEffect } = surroundings;
  const values = random.fork("values");
  const backoff = random.fork("backoff");
  const { retryJitter, tokenSource } = plan.settings;
  const rules = rulesOf(own.plan, surroundings);
  return {
    process,
    clock: clockOf(process, strategy, plan.settings),
    links,
    listeners: new ShortMap(),
    calls: callsOf(strategy, rules, () => links.filter(({ isConnected }) => isConnected).length),
    drawValue: () => drawValue(values),
    // A fraction of 1 is the whole pause: without jitter it is never less.
    drawFraction: () => 1 - retryJitter * (1 - backoff.fraction()),
    drawToken: tokenSourceOf(tokenSource, { counter, line: lineTo("counter"), links, quorum: rules.quorum }),
    beforeEffect: beforeEffect === undefined ? undefined : (effect) => beforeEffect(process.id, effect),
    conduct,
    note: record,
  };
}

function clockOf(
  process: VirtualProcess,
  { clock }: Strategy,
  { noticesSuspension }: Pick<LabSettings, "noticesSuspension">,
): ProcessClock {
  if (clock === "wall") return process.wallClock;
  return noticesSuspension ? process.noticingClock : process;
}

function resourceOf({ resourceLine, lineTo }: Own, { resource, nodes, record }: Surroundings): Resource {
  const [first] = nodes;
  let toReplica: ServiceLine | undefined;
  return {
    write: (request, settle) => {
      resourceLine.ask(() => {
        const judged = resource.judge(request);
        record(judged);
        return judged.accepted;
      }, settle);
    },
    read: (request, settle) => {
      resourceLine.ask(() => {
        const judged = resource.read(request);
        record(judged);
        return judged;
      }, settle);
    },
    stamp: (request, settle) => {
      resourceLine.ask(() => resource.stamp(request.resource, request.hold), settle);
    },
    askReplica: (name, settle) => {
      toReplica ??= lineTo("replica");
      toReplica.ask(() => first?.findOnReplica(name), settle);
    },
  };
}

function rulesOf({ membership }: WorkerPlan, { plan, nodes }: Surroundings): ReturnType<typeof rulesFrom> {
  const { quorum, nodeTimeoutMs, driftFactor } = plan.settings;
  const options = { nodeTimeoutMs, driftFactor, ...guardOptions(plan), ...RETRY };
  if (membership === undefined) return rulesFrom(nodes, { quorum, ...options });
  const members = nodes.filter(({ name }) => membership.includes(name));
  return rulesFrom(members, { quorum: majorityOf(members.length), ...options });
}

function namesOf(nodes: readonly NodeName[]): readonly { readonly name: NodeName }[] {
  return nodes.map((name) => ({ name }));
}

/** The laboratory has brought the nodes into use before a story begins; its workers trust nobody. */
function guardOptions(plan: RunPlan): Pick<RedlockOptions, "restartGuard"> {
  if (!plan.settings.restartGuard) return { restartGuard: "off" };
  return { restartGuard: { longestLifetimeMs: longestLifetimeMs(plan) } };
}

function drawValue(random: RandomStream): string {
  let value = "";
  for (let word = 0; word < VALUE_WORDS; word += 1) {
    value += hexOf(random.uint32());
  }
  return value;
}

function hexOf(word: number): string {
  const byteAt = (shift: number): string => HEX_BYTES[(word >>> shift) & BYTE_MASK] ?? "";
  return byteAt(24) + byteAt(16) + byteAt(8) + byteAt(0);
}
