/**
 * Whether a history can be read at all. Checkers judge only what is whole: an event that refers to something
 * unseen means that a part of the history is missing, and so may the proof of a violation.
 */
import type { CallId, HistoryEvent, HoldId, NodeName, WorkerId } from "./event.ts";
import { eventsOf } from "./events-of.ts";
import type { History, HistoryHeader } from "./history.ts";
import { oncePerHistory } from "./once-per-history.ts";

export interface Malformation {
  /** Index of the event that cannot be. */
  readonly index: number;
  readonly problem: string;
}

interface Seen {
  readonly history: History;
  readonly holds: ReadonlySet<HoldId>;
  readonly granted: Set<HoldId>;
  readonly invoked: Map<CallId, CallKind>;
  readonly returned: Set<CallId>;
  lastAtMs: number;
}

/** The first thing that is wrong, or `undefined` for a whole history. */
export const findMalformation = oncePerHistory(readUntilMalformed);

function readUntilMalformed(history: History): Malformation | undefined {
  const holds = eventsOf(history, "acquire-granted").map(({ hold }) => hold);
  const seen: Seen = {
    history,
    holds: new Set(holds),
    granted: new Set(),
    invoked: new Map(),
    returned: new Set(),
    lastAtMs: 0,
  };
  let index = -1;
  for (const event of history.events) {
    index += 1;
    const problem =
      orderProblem(event, index, seen) ??
      nameProblem(event, history) ??
      holdProblem(event, seen) ??
      callProblem(event, seen);
    if (problem !== undefined) return { index, problem };
  }
  return undefined;
}

function orderProblem({ seq, atMs }: HistoryEvent, index: number, seen: Seen): string | undefined {
  if (seq !== index) return `seq is ${seq} where ${index} was due`;
  if (!Number.isFinite(atMs)) return `atMs is ${atMs}`;
  if (atMs < seen.lastAtMs) return `atMs goes back from ${seen.lastAtMs} to ${atMs}`;
  seen.lastAtMs = atMs;
  return undefined;
}

function nameProblem(event: HistoryEvent, { header }: History): string | undefined {
  if ("worker" in event) return workerProblem(event.worker, header);
  if ("node" in event) return nodeProblem(event.node, header);
  if (!("nodes" in event)) return undefined;
  for (const node of event.nodes) {
    const problem = nodeProblem(node, header);
    if (problem !== undefined) return problem;
  }
  for (const worker of event.workers) {
    const problem = workerProblem(worker, header);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nodeProblem(node: NodeName, { nodes }: HistoryHeader): string | undefined {
  return nodes.includes(node) ? undefined : `node ${node} is not in the header`;
}

function workerProblem(worker: WorkerId, { workers }: HistoryHeader): string | undefined {
  return workers.includes(worker) ? undefined : `worker ${worker} is not in the header`;
}

function holdProblem(event: HistoryEvent, { holds, granted }: Seen): string | undefined {
  if (!("hold" in event)) return undefined;
  if (!holds.has(event.hold)) return `hold ${event.hold} was never granted`;
  if (event.kind !== "acquire-granted") return undefined;
  if (granted.has(event.hold)) return `hold ${event.hold} was granted twice`;
  granted.add(event.hold);
  return undefined;
}

type CallKind = "acquire" | "extend" | "release";

function callProblem(event: HistoryEvent, { invoked, returned }: Seen): string | undefined {
  if (!("call" in event)) return undefined;
  const { call } = event;
  const kind = callKind(event.kind);
  if (event.kind.endsWith("-invoked")) {
    if (invoked.has(call)) return `call ${call} was invoked twice`;
    invoked.set(call, kind);
    return undefined;
  }
  if (invoked.get(call) !== kind) return `call ${call} returned as ${kind} but was not invoked as one`;
  if (returned.has(call)) return `call ${call} returned twice`;
  returned.add(call);
  return undefined;
}

function callKind(kind: string): CallKind {
  if (kind.startsWith("acquire")) return "acquire";
  return kind.startsWith("extend") ? "extend" : "release";
}
