/** One run on real servers, from an empty folder to a history, with nothing left behind. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { EventBody } from "../../../history/event.ts";
import { isGuardKey } from "../../../history/guard-silences.ts";
import type { HistoryHeader } from "../../../history/history.ts";
import { InfrastructureError, InterruptedError } from "../../../lab-error.ts";
import { longestLifetimeMs } from "../../../scenario/longest-lifetime.ts";
import { RETRY } from "../../../workload/retry.ts";
import type { PlayedRun } from "../../backend.ts";
import { NodeObserver } from "../observer/node-observer.ts";
import { reservePorts } from "../port-reservation.ts";
import { Recorder } from "./recorder.ts";
import { RunClock } from "./run-clock.ts";
import { createRunFolder } from "../run-folder.ts";
import { LAB_KEY_PREFIX } from "../worker/warm-up.ts";
import { allEnded } from "./all-ended.ts";
import { Closers } from "./closers.ts";
import { Conductor } from "./conduct.ts";
import { FaultHand } from "./fault-hand.ts";
import { type OpenStage, openStage, type StageOptions } from "./open-stage.ts";
import { portCount } from "./plan-ports.ts";
import { StageNode } from "./stage-node.ts";

export interface RealRunOptions
  extends Pick<StageOptions, "plan" | "openServers" | "supervisor" | "startLimit"> {
  /** The backend's name. */
  readonly backend: string;
  readonly portBase: number | undefined;
  readonly signal: AbortSignal;
}

/** How long the last look waits for deletes that are still on their way. */
const SETTLE_LIMIT_MS = 1500;
const SETTLE_POLL_MS = 20;
/** How far the stamp of a node event may be from the truth; measured at 0.1 ms, and 1 ms on a busy machine. */
const NODE_STAMP_UNCERTAINTY_MS = 2;
/** How late a process may be scheduled where two cores serve a dozen of them. */
const SCHEDULING_GRACE_MS = 500;

/** @throws InfrastructureError | InterruptedError */
export async function playRealRun(options: RealRunOptions): Promise<PlayedRun> {
  const closers = new Closers();
  try {
    return await new RealRun(options, closers).play();
  } finally {
    await closers.closeAll();
  }
}

class RealRun {
  readonly #options: RealRunOptions;
  readonly #closers: Closers;
  readonly #recorder: Recorder;
  #clock = new RunClock(process.hrtime.bigint());
  #conductor: Conductor | undefined;
  /** What broke before the story began; a worker may fail at any time. */
  #fault: InfrastructureError | undefined;

  constructor(options: RealRunOptions, closers: Closers) {
    this.#options = options;
    this.#closers = closers;
    this.#recorder = new Recorder((event) => this.#conductor?.observe(event));
  }

  async play(): Promise<PlayedRun> {
    const startedAt = new Date().toISOString();
    const stage = await this.#open();
    // The story's time begins when everything stands.
    this.#clock = new RunClock(process.hrtime.bigint());
    const nodes = await this.#watchNodes(stage);
    this.#assertGoingOn();
    const cause = await this.#conduct(stage, nodes);
    this.#record({ kind: "story-ended", cause });
    await settle(nodes);
    await allEnded(nodes.map((node) => node.lastLook()));
    this.#assertGoingOn();
    this.#record({ kind: "run-ended" });
    return { header: headerOf(this.#options, startedAt), events: this.#recorder.history() };
  }

  async #open(): Promise<OpenStage> {
    const { plan, openServers, supervisor, startLimit, portBase } = this.#options;
    const runLabel = randomUUID();
    supervisor.watchRun(runLabel);
    this.#closers.add(() => supervisor.forgetRun(runLabel));
    const reservation = await reservePorts(portCount(plan), portBase === undefined ? {} : { base: portBase });
    this.#closers.add(() => reservation.release());
    const folder = await createRunFolder(supervisor);
    this.#closers.add(() => folder.remove());
    this.#assertGoingOn();
    const stage = await openStage({
      ...{ plan, openServers, supervisor, startLimit, runLabel },
      folder: folder.path,
      ports: reservation.ports,
      closers: this.#closers,
      onWorkerEvent: (event, atMs) => this.#recorder.record(event, atMs),
      onJudged: (judged) => this.#record(judged),
      onWorkerFault: (sentence) => this.#breakOff(new InfrastructureError(sentence)),
    });
    return stage;
  }

  async #watchNodes({ nodes, links, workers }: OpenStage): Promise<readonly StageNode[]> {
    return await allEnded(
      nodes.map(async (server) => {
        const observer = new NodeObserver({
          node: server.name,
          port: server.port,
          clockOf: () => server.clock,
          originNs: this.#clock.originNs,
          isObserved: (key) => !key.startsWith(LAB_KEY_PREFIX),
          onEvent: (event, atMs) => this.#recorder.record(event, atMs),
        });
        this.#closers.add(() => observer.close());
        await observer.watch();
        return new StageNode({
          ...{ server, observer, links },
          workers: workers.map(({ id }) => id),
          record: (body) => this.#record(body),
        });
      }),
    );
  }

  async #conduct(
    { links, resource, workers }: OpenStage,
    nodes: readonly StageNode[],
  ): Promise<"done" | "limit"> {
    const hand = new FaultHand({
      clock: this.#clock,
      nodes: new Map(nodes.map((node) => [node.name, node])),
      workers: new Map(workers.map((worker) => [worker.id, worker])),
      ...{ links, resource },
      record: (body, atMs) => this.#record(body, atMs),
    });
    this.#conductor = new Conductor({
      plan: this.#options.plan,
      nowMs: () => this.#clock.nowMs(),
      perform: (action) => hand.perform(action),
      signal: this.#options.signal,
    });
    return await this.#conductor.play();
  }

  #record(body: EventBody, atMs = this.#clock.nowMs()): void {
    this.#recorder.record(body, atMs);
  }

  #breakOff(fault: InfrastructureError): void {
    this.#fault ??= fault;
    this.#conductor?.fail(fault);
  }

  #assertGoingOn(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#options.signal.aborted) throw new InterruptedError("The run was interrupted.");
  }
}

/** Waits until no node holds a key any more, within the limit: undo and release go on behind the scenes. */
async function settle(nodes: readonly StageNode[]): Promise<void> {
  const polls = SETTLE_LIMIT_MS / SETTLE_POLL_MS;
  for (let poll = 0; poll < polls; poll++) {
    const keys = await allEnded(nodes.map((node) => node.findKeys()));
    if (keys.flat().every(({ resource }) => isGuardKey(resource))) return;
    await delay(SETTLE_POLL_MS);
  }
}

function headerOf({ plan, backend }: RealRunOptions, startedAt: string): HistoryHeader {
  const { quorum, ttlMs, nodeTimeoutMs, driftFactor, fencing } = plan.settings;
  return {
    version: 1,
    scenario: plan.scenario,
    variant: plan.variant,
    backend,
    seed: plan.seed,
    startedAt,
    nodes: plan.nodes,
    workers: plan.workers.map(({ id }) => id),
    quorum,
    ttlMs,
    nodeTimeoutMs,
    driftFactor,
    retryCapMs: RETRY.retryCapMs,
    fencing,
    ...(plan.settings.restartGuard ? { longestLifetimeMs: longestLifetimeMs(plan) } : {}),
    nodeStampUncertaintyMs: NODE_STAMP_UNCERTAINTY_MS,
    schedulingGraceMs: SCHEDULING_GRACE_MS,
  };
}
