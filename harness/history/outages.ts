/** When something was out of reach: nodes, links, workers. Spans that never ended reach to `Infinity`. */
import type { HistoryEvent, NodeName, WorkerId } from "./event.ts";
import { eventsAmong, eventsOf } from "./events-of.ts";
import type { History } from "./history.ts";
import { oncePerHistory } from "./once-per-history.ts";

export interface NodeOutage {
  readonly node: NodeName;
  /** A stalled node answers later; one that is down forgets what it was asked. */
  readonly kind: "killed" | "power-loss" | "stalled";
  readonly fromMs: number;
  readonly toMs: number;
  readonly seqs: readonly number[];
}

/** A fault on links: every one of these workers to every one of these nodes. */
export interface LinkOutage {
  readonly fault: string;
  readonly workers: readonly WorkerId[];
  readonly nodes: readonly NodeName[];
  readonly fromMs: number;
  readonly toMs: number;
}

export interface WorkerPause {
  readonly worker: WorkerId;
  readonly fromMs: number;
  readonly toMs: number;
}

type Open<Outage> = Omit<Outage, "toMs">;

/** Outages of nodes in the order of their ends; those of one node never overlap. */
export const nodeOutages = oncePerHistory(readNodeOutages);

function readNodeOutages(history: History): readonly NodeOutage[] {
  const open = new Map<NodeName, Open<NodeOutage>>();
  const outages: NodeOutage[] = [];
  const close = (node: NodeName, { atMs, seq }: HistoryEvent): void => {
    const outage = open.get(node);
    if (outage === undefined) return;
    outages.push({ ...outage, toMs: atMs, seqs: [...outage.seqs, seq] });
    open.delete(node);
  };
  for (const event of eventsAmong(history, ["node-up", "node-down", "node-stalled", "node-resumed"])) {
    if (event.kind === "node-up") close(event.node, event);
    if (event.kind === "node-resumed" && open.get(event.node)?.kind === "stalled") close(event.node, event);
    if (event.kind === "node-down" || event.kind === "node-stalled") {
      close(event.node, event);
      const kind = event.kind === "node-down" ? event.cause : "stalled";
      open.set(event.node, { node: event.node, kind, fromMs: event.atMs, seqs: [event.seq] });
    }
  }
  return [...outages, ...[...open.values()].map((outage) => ({ ...outage, toMs: Infinity }))];
}

/** A fault that names both workers and nodes is one of links. */
export const linkOutages = oncePerHistory(readLinkOutages);

function readLinkOutages(history: History): readonly LinkOutage[] {
  const open = new Map<string, Open<LinkOutage>>();
  const outages: LinkOutage[] = [];
  for (const event of eventsAmong(history, ["fault-applied", "fault-healed"])) {
    if (event.kind === "fault-applied" && event.nodes.length > 0 && event.workers.length > 0) {
      const { fault, workers, nodes, atMs } = event;
      open.set(fault, { fault, workers, nodes, fromMs: atMs });
    } else if (event.kind === "fault-healed") {
      const outage = open.get(event.fault);
      if (outage !== undefined) outages.push({ ...outage, toMs: event.atMs });
      open.delete(event.fault);
    }
  }
  return [...outages, ...[...open.values()].map((outage) => ({ ...outage, toMs: Infinity }))];
}

const STOPS_AND_GOES = ["worker-paused", "worker-suspended", "worker-resumed", "worker-killed"] as const;

export const workerPauses = oncePerHistory(readWorkerPauses);

function readWorkerPauses(history: History): readonly WorkerPause[] {
  const open = new Map<WorkerId, number>();
  const pauses: WorkerPause[] = [];
  for (const event of eventsAmong(history, STOPS_AND_GOES)) {
    const isStopped = event.kind === "worker-paused" || event.kind === "worker-suspended";
    if (isStopped && !open.has(event.worker)) open.set(event.worker, event.atMs);
    else if (event.kind === "worker-resumed" || event.kind === "worker-killed") {
      const fromMs = open.get(event.worker);
      if (fromMs !== undefined) pauses.push({ worker: event.worker, fromMs, toMs: event.atMs });
      open.delete(event.worker);
    }
  }
  return [...pauses, ...[...open].map(([worker, fromMs]) => ({ worker, fromMs, toMs: Infinity }))];
}

/** When each killed worker was killed. */
export const workerDeaths = oncePerHistory(readWorkerDeaths);

function readWorkerDeaths(history: History): ReadonlyMap<WorkerId, number> {
  const deaths = new Map<WorkerId, number>();
  for (const event of eventsOf(history, "worker-killed")) {
    // Who is dead may be killed again; nothing comes of it.
    if (!deaths.has(event.worker)) deaths.set(event.worker, event.atMs);
  }
  return deaths;
}
