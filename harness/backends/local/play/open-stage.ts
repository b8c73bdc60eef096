/**
 * Sets the stage of one run: reserves ports, starts servers, proxies and workers, and waits until every
 * worker has talked to every node. What is opened is handed to the closers before it can fail.
 */
import type { LimitFunction } from "p-limit";
import { createNodes, Redlock } from "../../../../src/index.ts";
import type { NodeName, ReadJudged, WorkerEvent, WriteJudged } from "../../../history/event.ts";
import { longestLifetimeMs } from "../../../scenario/longest-lifetime.ts";
import type { RunPlan } from "../../../scenario/run-plan.ts";
import { majorityOf } from "../../../scenario/settings-rules.ts";
import { ProtectedResource } from "../../../workload/protected-resource.ts";
import type { WorkerPlan } from "../../../workload/worker-plan.ts";
import { ToxiproxyServer } from "../toxiproxy-server.ts";
import { type Link, LinkFaults } from "../../real/proxy/link-faults.ts";
import { RedisProcess } from "../redis-process.ts";
import { ResourceServer } from "../../real/resource/resource-server.ts";
import type { Supervisor } from "../../real/supervisor/supervisor.ts";
import { LAB_KEY_PREFIX } from "../../real/worker/warm-up.ts";
import { WorkerProcess } from "../../real/worker/worker-process.ts";
import { allEnded } from "../../real/play/all-ended.ts";
import type { Closers } from "../../real/play/closers.ts";
import { type PortPlan, planPorts } from "../../real/play/plan-ports.ts";
import type { RunPrograms } from "./run-programs.ts";

export interface StageOptions {
  readonly plan: RunPlan;
  readonly programs: RunPrograms;
  readonly supervisor: Supervisor;
  readonly runLabel: string;
  /** A folder of the run's own. */
  readonly folder: string;
  /** As many as `portCount` says. */
  readonly ports: readonly number[];
  /** How many processes start at once, over all runs. */
  readonly startLimit: LimitFunction;
  readonly closers: Closers;
  readonly onWorkerEvent: (event: WorkerEvent, atMs: number) => void;
  readonly onJudged: (judged: WriteJudged | ReadJudged) => void;
  readonly onWorkerFault: (sentence: string) => void;
}

export interface OpenStage {
  readonly servers: readonly RedisProcess[];
  readonly links: LinkFaults;
  readonly resource: ResourceServer;
  readonly workers: readonly WorkerProcess[];
}

/** How long a worker may take to leave by itself. */
const WORKER_GRACE_MS = 300;
const FIRST_USE_LIMIT_MS = 2000;

/** @throws InfrastructureError when something cannot be started. */
export async function openStage(options: StageOptions): Promise<OpenStage> {
  const ports = planPorts(options.plan, options.ports);
  const starting = startServers(options, ports);
  const opening = openLinks(options, ports);
  await allEnded<unknown>([starting, opening]);
  const servers = await starting;
  const links = await opening;
  if (options.plan.settings.restartGuard) await bringIntoUse(options.plan, ports);
  const resource = await openResource(options, ports);
  const workers = await allEnded(
    options.plan.workers.map((worker) => options.startLimit(() => startWorker(options, ports, worker))),
  );
  return { servers, links, resource, workers };
}

/**
 * A brand-new cluster would wait one longest lifetime; nobody can hold a lock on it, so that the lab may trust it. The
 * workers trust nobody.
 */
async function bringIntoUse({ nodes, settings, ...plan }: RunPlan, ports: PortPlan): Promise<void> {
  const urls = nodes.map((node) => `redis://127.0.0.1:${ports.nodePort(node)}`);
  const ttlMs = longestLifetimeMs(plan);
  const redlock = new Redlock(createNodes(urls), {
    quorum: settings.quorum,
    restartGuard: { longestLifetimeMs: ttlMs, firstUse: "trust" },
  });
  try {
    const resource = `${LAB_KEY_PREFIX}first-use`;
    await (await redlock.acquire(resource, ttlMs, { waitMs: FIRST_USE_LIMIT_MS })).release();
  } finally {
    await redlock.close();
  }
}

/** The nodes, and beside them the server of the fencing counter, which no fault touches. */
async function startServers(options: StageOptions, ports: PortPlan): Promise<readonly RedisProcess[]> {
  const { plan, programs, supervisor, runLabel, folder, startLimit, closers } = options;
  const serverOf = (name: string, port: number, persistence = plan.settings.persistence): RedisProcess => {
    const server = new RedisProcess({
      name,
      port,
      folder: `${folder}/${name}`,
      persistence,
      endsConnections: plan.settings.endsConnections,
      program: programs.redisServer,
      runLabel,
      ledger: supervisor,
      ...(programs.shimPath === undefined ? {} : { shimPath: programs.shimPath }),
    });
    closers.add(() => server.stop());
    return server;
  };
  const nodes = plan.nodes.map((name) => serverOf(name, ports.nodePort(name)));
  const counter = serverOf("counter", ports.counterPort, "none");
  await allEnded([...nodes, counter].map((server) => startLimit(() => server.start())));
  return nodes;
}

async function openLinks(options: StageOptions, ports: PortPlan): Promise<LinkFaults> {
  const { plan, programs, supervisor, runLabel, folder, startLimit, closers } = options;
  const toxiproxy = await startLimit(() =>
    ToxiproxyServer.start({
      program: programs.toxiproxyServer,
      port: ports.toxiproxyPort,
      folder,
      runLabel,
      ledger: supervisor,
    }),
  );
  closers.add(() => toxiproxy.stop());
  const links = new LinkFaults(toxiproxy.client);
  const pairs: Link[] = plan.workers.flatMap(({ id: worker }) =>
    plan.nodes.map((node) => ({
      worker,
      node,
      listenPort: ports.linkPort(worker, node),
      nodePort: ports.nodePort(node),
    })),
  );
  await links.open(pairs);
  return links;
}

async function openResource(
  { plan, closers, onJudged }: StageOptions,
  ports: PortPlan,
): Promise<ResourceServer> {
  const server = await ResourceServer.start({
    resource: new ProtectedResource(plan.settings),
    port: ports.resourcePort,
    onJudged,
  });
  closers.add(() => server.close());
  return server;
}

async function startWorker(options: StageOptions, ports: PortPlan, plan: WorkerPlan): Promise<WorkerProcess> {
  const { settings, nodes } = options.plan;
  const { membership = nodes } = plan;
  const urlOf = (node: NodeName): string => `redis://127.0.0.1:${ports.linkPort(plan.id, node)}`;
  const worker = new WorkerProcess({
    init: {
      kind: "init",
      plan,
      nodes: nodes.filter((name) => membership.includes(name)).map((name) => ({ name, url: urlOf(name) })),
      quorum: plan.membership === undefined ? settings.quorum : majorityOf(membership.length),
      nodeTimeoutMs: settings.nodeTimeoutMs,
      driftFactor: settings.driftFactor,
      ...(settings.restartGuard ? { longestLifetimeMs: longestLifetimeMs(options.plan) } : {}),
      counterUrl: `redis://127.0.0.1:${ports.counterPort}`,
      resourcePort: ports.resourcePort,
    },
    runLabel: options.runLabel,
    ledger: options.supervisor,
    onEvent: options.onWorkerEvent,
    onFault: options.onWorkerFault,
  });
  options.closers.add(() => worker.end(WORKER_GRACE_MS));
  await worker.ready();
  return worker;
}
