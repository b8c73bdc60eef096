/**
 * Sets the stage of one run: has the backend open servers and links, starts the protected resource and the workers,
 * and waits until every worker has talked to every node. What is opened is handed to the closers before it can fail.
 */
import type { LimitFunction } from "p-limit";
import { createNodes, Redlock } from "../../../../src/index.ts";
import type { NodeName, ReadJudged, WorkerEvent, WriteJudged } from "../../../history/event.ts";
import { longestLifetimeMs } from "../../../scenario/longest-lifetime.ts";
import type { RunPlan } from "../../../scenario/run-plan.ts";
import { majorityOf } from "../../../scenario/settings-rules.ts";
import { ProtectedResource } from "../../../workload/protected-resource.ts";
import type { WorkerPlan } from "../../../workload/worker-plan.ts";
import { ResourceServer } from "../resource/resource-server.ts";
import { LAB_KEY_PREFIX } from "../worker/warm-up.ts";
import { WorkerProcess } from "../worker/worker-process.ts";
import { allEnded } from "./all-ended.ts";
import { planPorts } from "./plan-ports.ts";
import type { OpenServers, Servers, ServersOptions } from "./servers.ts";

export interface StageOptions extends Omit<ServersOptions, "ports"> {
  readonly openServers: OpenServers;
  /** As many as `portCount` says. */
  readonly ports: readonly number[];
  /** How many processes start at once, over all runs. */
  readonly startLimit: LimitFunction;
  readonly onWorkerEvent: (event: WorkerEvent, atMs: number) => void;
  readonly onJudged: (judged: WriteJudged | ReadJudged) => void;
  readonly onWorkerFault: (sentence: string) => void;
}

export interface OpenStage extends Servers {
  readonly resource: ResourceServer;
  readonly workers: readonly WorkerProcess[];
}

/** How long a worker may take to leave by itself. */
const WORKER_GRACE_MS = 300;
const FIRST_USE_LIMIT_MS = 2000;

/** @throws InfrastructureError when something cannot be started. */
export async function openStage(options: StageOptions): Promise<OpenStage> {
  const ports = planPorts(options.plan, options.ports);
  const servers = await options.openServers({ ...options, ports });
  if (options.plan.settings.restartGuard) await bringIntoUse(options.plan, servers);
  const resource = await openResource(options, ports.resourcePort);
  const where = { ...servers, resourcePort: ports.resourcePort };
  const workers = await allEnded(
    options.plan.workers.map((worker) => options.startLimit(() => startWorker(options, where, worker))),
  );
  return { ...servers, resource, workers };
}

/**
 * A brand-new cluster would wait one longest lifetime; nobody can hold a lock on it, so that the lab may trust it. The
 * workers trust nobody.
 */
async function bringIntoUse({ settings, ...plan }: RunPlan, { nodes }: Servers): Promise<void> {
  const urls = nodes.map(({ port }) => `redis://127.0.0.1:${port}`);
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

async function openResource(
  { plan, closers, onJudged }: StageOptions,
  port: number,
): Promise<ResourceServer> {
  const server = await ResourceServer.start({
    resource: new ProtectedResource(plan.settings),
    port,
    onJudged,
  });
  closers.add(() => server.close());
  return server;
}

async function startWorker(
  options: StageOptions,
  { linkUrl, counterUrl, resourcePort }: Servers & { readonly resourcePort: number },
  plan: WorkerPlan,
): Promise<WorkerProcess> {
  const { settings, nodes } = options.plan;
  const { membership = nodes } = plan;
  const urlOf = (node: NodeName): string => linkUrl(plan.id, node);
  const worker = new WorkerProcess({
    init: {
      kind: "init",
      plan,
      nodes: nodes.filter((name) => membership.includes(name)).map((name) => ({ name, url: urlOf(name) })),
      quorum: plan.membership === undefined ? settings.quorum : majorityOf(membership.length),
      nodeTimeoutMs: settings.nodeTimeoutMs,
      driftFactor: settings.driftFactor,
      ...(settings.restartGuard ? { longestLifetimeMs: longestLifetimeMs(options.plan) } : {}),
      ...{ counterUrl, resourcePort },
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
