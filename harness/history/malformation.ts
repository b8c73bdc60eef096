/**
 * Whether a history can be read at all. Checkers judge only what is whole: an event that refers to something
 * unseen means that a part of the history is missing, and so may the proof of a violation.
 */
import type { CallId, HistoryEvent, HoldId } from "./event.ts";
import type { History } from "./history.ts";
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
  const holds = history.events.flatMap((event) => (event.kind === "acquire-granted" ? [event.hold] : []));
  const seen: Seen = {
    history,
    holds: new Set(holds),
    granted: new Set(),
    invoked: new Map(),
    returned: new Set(),
    lastAtMs: 0,
  };
  for (const [index, event] of history.events.entries()) {
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
  const nodes = "node" in event ? [event.node] : "nodes" in event ? event.nodes : [];
  const workers = "worker" in event ? [event.worker] : "workers" in event ? event.workers : [];
  for (const node of nodes) if (!header.nodes.includes(node)) return `node ${node} is not in the header`;
  for (const worker of workers) {
    if (!header.workers.includes(worker)) return `worker ${worker} is not in the header`;
  }
  return undefined;
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
