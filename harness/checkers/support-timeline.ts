/**
 * Support over time: which nodes stood behind a hold while somebody believed in it. A node *blocks* rivals if
 * it holds the hold's live key or cannot vote at all: because it is down, or stalled and never woken.
 */
import type { NodeName } from "../history/event.ts";
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import { keyOf } from "../history/key-life.ts";
import { keyLives } from "../history/key-lives.ts";
import { endOfRun } from "../history/moment.ts";
import { nodeOutages } from "../history/outages.ts";

/** A stretch in which nothing changed. */
export interface SupportStep {
  readonly fromMs: number;
  readonly toMs: number;
  /** Nodes that hold the live key. */
  readonly holding: readonly NodeName[];
  /** Nodes that do not, and cannot vote for anybody else either. */
  readonly away: readonly NodeName[];
}

export interface HoldSupport {
  readonly hold: Hold;
  /** Over the declared interval, as far as the run goes; in order, each from the end of the one before. */
  readonly steps: readonly SupportStep[];
}

interface SpanMs {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the nodes did, looked up by key and by node. */
interface NodeSpans {
  readonly nodes: readonly NodeName[];
  readonly live: ReadonlyMap<string, readonly SpanMs[]>;
  readonly away: ReadonlyMap<NodeName, readonly SpanMs[]>;
}

/** For each hold, in the order of the grants: a sweep over what the nodes did while it was believed. */
export function supportTimeline(history: History): readonly HoldSupport[] {
  const spans: NodeSpans = {
    nodes: history.header.nodes,
    live: groupSpans(keyLives(history), ({ node, resource, value }) => keyOf(node, resource, value)),
    away: groupSpans(
      nodeOutages(history).filter(({ kind, toMs }) => kind !== "stalled" || toMs === Infinity),
      ({ node }) => node,
    ),
  };
  const runEndMs = endOfRun(history.events).atMs;
  return holdsOf(history).map((hold) => ({
    hold,
    steps: hold.declared.flatMap(({ from, to }) =>
      stepsWithin({ fromMs: from.atMs, toMs: Math.min(to.atMs, runEndMs) }, hold, spans),
    ),
  }));
}

function groupSpans<Value extends SpanMs>(
  values: readonly Value[],
  keyFor: (value: Value) => string,
): ReadonlyMap<string, readonly SpanMs[]> {
  const groups = new Map<string, SpanMs[]>();
  for (const value of values) {
    const group = groups.get(keyFor(value)) ?? [];
    groups.set(keyFor(value), group);
    group.push(value);
  }
  return groups;
}

/** A point at which a node takes up or gives up the key, or goes away or comes back. */
interface Mark {
  readonly atMs: number;
  readonly node: NodeName;
  readonly what: "live" | "away";
  readonly change: 1 | -1;
}

function stepsWithin(window: SpanMs, { resource, value }: Hold, spans: NodeSpans): readonly SupportStep[] {
  const marks = spans.nodes.flatMap((node) => [
    ...marksOf({ node, what: "live" }, spans.live.get(keyOf(node, resource, value)) ?? [], window),
    ...marksOf({ node, what: "away" }, spans.away.get(node) ?? [], window),
  ]);
  marks.sort((left, right) => left.atMs - right.atMs);

  const counts = { live: new Map<NodeName, number>(), away: new Map<NodeName, number>() };
  const steps: SupportStep[] = [];
  let { fromMs } = window;
  for (const { atMs, node, what, change } of marks) {
    if (atMs > fromMs) {
      steps.push(stepOf({ fromMs, toMs: atMs }, spans.nodes, counts));
      fromMs = atMs;
    }
    counts[what].set(node, (counts[what].get(node) ?? 0) + change);
  }
  if (window.toMs > fromMs) steps.push(stepOf({ fromMs, toMs: window.toMs }, spans.nodes, counts));
  return steps;
}

function marksOf(
  { node, what }: Pick<Mark, "node" | "what">,
  spans: readonly SpanMs[],
  window: SpanMs,
): readonly Mark[] {
  return spans
    .filter(({ fromMs, toMs }) => fromMs < window.toMs && toMs > window.fromMs)
    .flatMap(({ fromMs, toMs }) => [
      { atMs: Math.max(fromMs, window.fromMs), node, what, change: 1 },
      { atMs: Math.min(toMs, window.toMs), node, what, change: -1 },
    ]);
}

function stepOf(
  { fromMs, toMs }: SpanMs,
  nodes: readonly NodeName[],
  {
    live,
    away,
  }: { readonly live: ReadonlyMap<NodeName, number>; readonly away: ReadonlyMap<NodeName, number> },
): SupportStep {
  const holding = nodes.filter((node) => (live.get(node) ?? 0) > 0);
  return {
    fromMs,
    toMs,
    holding,
    away: nodes.filter((node) => !holding.includes(node) && (away.get(node) ?? 0) > 0),
  };
}
