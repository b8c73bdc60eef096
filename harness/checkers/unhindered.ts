/**
 * Stretches of time in which nothing kept a worker from acquiring: nobody believed, no rival tried, and the worker
 * itself was alive, going on, and had a quorum in reach.
 */
import { type AcquireCall, acquiresOf } from "../history/calls.ts";
import type { WorkerId } from "../history/event.ts";
import { eventsAmong } from "../history/events-of.ts";
import { guardSilences } from "../history/guard-silences.ts";
import type { History } from "../history/history.ts";
import { holdsOf } from "../history/holds.ts";
import { oncePerHistory } from "../history/once-per-history.ts";
import { workerDeaths, workerPauses } from "../history/outages.ts";
import { countFromStart } from "./halving.ts";
import { reachabilityOf, type SpanMs } from "./reachability.ts";
import { RECONNECT_ALLOWANCE_MS } from "./reconnect-allowance.ts";

export interface Hindrances {
  /** What is left of the time of a call, in order; touching a hindrance is being hindered. */
  readonly unhindered: (call: AcquireCall, untilMs: number) => readonly SpanMs[];
}

/** What begins in the instant in which a call ends may be what ended it. */
const TOUCH_MS = 0.001;

export const hindrancesOf = oncePerHistory(readHindrances);

function readHindrances(history: History): Hindrances {
  const beliefs = beliefsByResource(history);
  const rivals = rivalsByCall(history);
  const own = oncePerWorker((worker) => impairmentsOf(worker, history));
  return {
    unhindered: (call, untilMs) => {
      const during = { fromMs: call.invoked.atMs, toMs: Math.min(endOf(call), untilMs) };
      return without(during, [
        ...spansAround(beliefs.get(call.resource) ?? [], during),
        ...(rivals.get(call.id) ?? []),
        ...own(call.worker),
      ]);
    },
  };
}

/** In order and disjoint. */
function beliefsByResource(history: History): ReadonlyMap<string, readonly SpanMs[]> {
  const groups = new Map<string, SpanMs[]>();
  for (const { resource, declared } of holdsOf(history)) {
    const group = groups.get(resource) ?? [];
    groups.set(resource, group);
    for (const { from, to } of declared) group.push({ fromMs: from.atMs, toMs: to.atMs });
  }
  return new Map([...groups].map(([resource, spans]) => [resource, unionOf(spans)]));
}

/** Calls of others for the same resource, while this one went on. Few go on at once, however many there are. */
function rivalsByCall(history: History): ReadonlyMap<string, readonly SpanMs[]> {
  const rivals = new Map<string, SpanMs[]>();
  const activeByResource = new Map<string, readonly AcquireCall[]>();
  for (const call of acquiresOf(history)) {
    const active = (activeByResource.get(call.resource) ?? []).filter(
      (other) => endOf(other) >= call.invoked.atMs,
    );
    for (const other of active) {
      if (other.worker === call.worker) continue;
      rivals.set(call.id, [...(rivals.get(call.id) ?? []), spanOf(other)]);
      rivals.set(other.id, [...(rivals.get(other.id) ?? []), spanOf(call)]);
    }
    activeByResource.set(call.resource, [...active, call]);
  }
  return rivals;
}

/** Whatever was done to the worker, to its links or to a quorum of nodes, and the time for connecting anew after it. */
function impairmentsOf(worker: WorkerId, history: History): readonly SpanMs[] {
  const death = workerDeaths(history).get(worker);
  const spans = [
    ...workerPauses(history).filter((pause) => pause.worker === worker),
    ...faultsOn(worker, history),
    ...(death === undefined ? [] : [{ fromMs: death, toMs: Infinity }]),
  ];
  return unionOf([...spans.map(untilConnectedAnew), ...disconnectedSpans(worker, history)]);
}

/**
 * When too few nodes were connected, or let by their guard. A connection is broken also where the node was back in the same instant, and
 * those of several nodes may be made anew at once although the nodes were away one after the other.
 */
export function disconnectedSpans(worker: WorkerId, history: History): readonly SpanMs[] {
  const { nodes, quorum } = history.header;
  const { cutOff } = reachabilityOf(history);
  const silences = guardSilences(history);
  const edges = nodes
    .flatMap((node) =>
      unionOf([
        ...cutOff(worker, node).map(untilConnectedAnew),
        ...silences.filter((silence) => silence.node === node),
      ]),
    )
    .flatMap(({ fromMs, toMs }) => [
      { atMs: fromMs, lost: 1 },
      { atMs: toMs, lost: -1 },
    ])
    .toSorted((left, right) => left.atMs - right.atMs || left.lost - right.lost);
  const spans: SpanMs[] = [];
  let connected = nodes.length;
  let sinceMs = 0;
  for (const { atMs, lost } of edges) {
    const left = connected - lost;
    if (connected >= quorum && left < quorum) sinceMs = atMs;
    if (connected < quorum && left >= quorum) spans.push({ fromMs: sinceMs, toMs: atMs });
    connected = left;
  }
  return spans;
}

function untilConnectedAnew({ fromMs, toMs }: SpanMs): SpanMs {
  return { fromMs: fromMs - TOUCH_MS, toMs: toMs + RECONNECT_ALLOWANCE_MS };
}

function faultsOn(worker: WorkerId, history: History): readonly SpanMs[] {
  const open = new Map<string, number>();
  const spans: SpanMs[] = [];
  for (const event of eventsAmong(history, ["fault-applied", "fault-healed"])) {
    if (event.kind === "fault-applied") {
      if (event.workers.includes(worker)) open.set(event.fault, event.atMs);
      continue;
    }
    const fromMs = open.get(event.fault);
    if (fromMs !== undefined) spans.push({ fromMs, toMs: event.atMs });
    open.delete(event.fault);
  }
  return [...spans, ...[...open.values()].map((fromMs) => ({ fromMs, toMs: Infinity }))];
}

function oncePerWorker<Answer>(ask: (worker: WorkerId) => Answer): (worker: WorkerId) => Answer {
  const answers = new Map<WorkerId, Answer>();
  return (worker) => {
    const known = answers.get(worker) ?? ask(worker);
    answers.set(worker, known);
    return known;
  };
}

function spanOf(call: AcquireCall): SpanMs {
  return { fromMs: call.invoked.atMs, toMs: endOf(call) };
}

function endOf({ returned }: AcquireCall): number {
  return returned?.moment.atMs ?? Infinity;
}

function unionOf(spans: readonly SpanMs[]): readonly SpanMs[] {
  const union: SpanMs[] = [];
  for (const span of spans.toSorted((left, right) => left.fromMs - right.fromMs)) {
    const last = union.at(-1);
    if (last === undefined || last.toMs < span.fromMs) union.push(span);
    else union[union.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
  }
  return union;
}

/** Those that touch it, of disjoint spans in order. */
function spansAround(spans: readonly SpanMs[], { fromMs, toMs }: SpanMs): readonly SpanMs[] {
  const first = countFromStart(spans, (span) => span.toMs < fromMs);
  return spans.slice(
    first,
    countFromStart(spans, (span) => span.fromMs <= toMs),
  );
}

/** What these spans leave of one, in order. */
function without(whole: SpanMs, spans: readonly SpanMs[]): readonly SpanMs[] {
  const taken = unionOf(spans);
  const ends = [whole.fromMs, ...taken.map(({ toMs }) => Math.max(whole.fromMs, toMs))];
  const starts = [...taken.map(({ fromMs }) => Math.min(whole.toMs, fromMs)), whole.toMs];
  return ends
    .map((fromMs, place) => ({ fromMs, toMs: Number(starts[place]) }))
    .filter(({ fromMs, toMs }) => fromMs < toMs);
}
