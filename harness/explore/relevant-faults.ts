/**
 * Which faults of a run touched anything: a node that stood behind somebody's lock, or a worker with a lock or a call
 * of its own. A fault that hits what nobody uses has been applied and has tried nothing (docs/checkers.md, vacuity).
 */
import { callsOf } from "../history/calls.ts";
import type { EventOf, NodeName, WorkerId } from "../history/event.ts";
import { eventsOf } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import { holdsOf } from "../history/holds.ts";

interface SpanMs {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A stretch in which a worker wanted or had something, and the nodes that stood behind it. */
interface Use extends SpanMs {
  readonly worker: WorkerId;
  readonly nodes: readonly NodeName[];
}

/** The ids of those that touched something; one that is not healed by itself counts at the instant in which it came. */
export function relevantFaults(history: History): ReadonlySet<string> {
  const uses = [...heldIn(history), ...calledIn(history)];
  const healedMs = new Map(eventsOf(history, "fault-healed").map(({ fault, atMs }) => [fault, atMs]));
  const touching = eventsOf(history, "fault-applied").filter((applied) => {
    const span = { fromMs: applied.atMs, toMs: healedMs.get(applied.fault) ?? applied.atMs };
    return uses.some((use) => overlaps(use, span) && isTouched(use, applied));
  });
  return new Set(touching.map(({ fault }) => fault));
}

function heldIn(history: History): readonly Use[] {
  return holdsOf(history).map(({ worker, votes, granted, believedUntil }) => ({
    worker,
    nodes: votes.filter(({ kind }) => kind === "granted").map(({ node }) => node),
    fromMs: granted.atMs,
    toMs: believedUntil.atMs,
  }));
}

/** While a call is under way it asks every node. */
function calledIn(history: History): readonly Use[] {
  const { nodes } = history.header;
  return callsOf(history).map(({ worker, invoked, returned }) => ({
    worker,
    nodes,
    fromMs: invoked.atMs,
    toMs: returned?.moment.atMs ?? Infinity,
  }));
}

function overlaps(use: SpanMs, fault: SpanMs): boolean {
  return use.fromMs <= fault.toMs && fault.fromMs <= use.toMs;
}

/** A fault that names workers and nodes lies on the links between them. */
function isTouched(use: Use, { workers, nodes }: EventOf<"fault-applied">): boolean {
  const isWorkerMeant = workers.length === 0 || workers.includes(use.worker);
  const isNodeMeant = nodes.length === 0 || use.nodes.some((node) => nodes.includes(node));
  return isWorkerMeant && isNodeMeant;
}
