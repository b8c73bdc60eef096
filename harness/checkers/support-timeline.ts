/**
 * Support over time: which nodes stood behind a hold while somebody believed in it. A node *blocks* rivals if
 * it holds the hold's live key or cannot vote at all: because it is down, kept silent by its guard, or stalled and
 * never woken.
 */
import type { NodeName } from "../history/event.ts";
import { guardSilences } from "../history/guard-silences.ts";
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import type { KeyLife } from "../history/key-life.ts";
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

/** A stretch in which a node held the key, or was away. */
interface NodeSpan extends SpanMs {
  readonly node: NodeName;
}

/** For each hold, in the order of the grants: a sweep over what the nodes did while it was believed. */
export function supportTimeline(history: History): readonly HoldSupport[] {
  const { nodes } = history.header;
  const lives = livesByValue(history);
  const gone = nodeOutages(history).filter(({ kind, toMs }) => kind !== "stalled" || toMs === Infinity);
  const away = [...gone, ...guardSilences(history)];
  const runEndMs = endOfRun(history.events).atMs;
  return holdsOf(history).map((hold) => {
    const live = (lives.get(hold.value) ?? []).filter(({ resource }) => resource === hold.resource);
    const steps = hold.declared.flatMap(({ from, to }) =>
      stepsWithin({ fromMs: from.atMs, toMs: Math.min(to.atMs, runEndMs) }, { nodes, live, away }),
    );
    return { hold, steps };
  });
}

function livesByValue(history: History): ReadonlyMap<string, readonly KeyLife[]> {
  const groups = new Map<string, KeyLife[]>();
  for (const life of keyLives(history)) {
    const group = groups.get(life.value);
    if (group === undefined) groups.set(life.value, [life]);
    else group.push(life);
  }
  return groups;
}

interface NodeSpans {
  readonly nodes: readonly NodeName[];
  readonly live: readonly NodeSpan[];
  readonly away: readonly NodeSpan[];
}

/** A point at which a node takes up or gives up the key, or goes away or comes back. */
interface Mark {
  readonly atMs: number;
  /** Place in the list of nodes. */
  readonly node: number;
  readonly what: "live" | "away";
  readonly change: 1 | -1;
}

/** How many spans cover the moment, for each node in its place. */
type Counts = Readonly<Record<Mark["what"], number[]>>;

function stepsWithin(window: SpanMs, { nodes, live, away }: NodeSpans): readonly SupportStep[] {
  const marks: Mark[] = [];
  for (const span of live) mark(marks, { span, what: "live", node: nodes.indexOf(span.node) }, window);
  for (const span of away) mark(marks, { span, what: "away", node: nodes.indexOf(span.node) }, window);
  marks.sort((left, right) => left.atMs - right.atMs);

  const counts: Counts = { live: nodes.map(() => 0), away: nodes.map(() => 0) };
  const steps: SupportStep[] = [];
  let { fromMs } = window;
  for (const { atMs, node, what, change } of marks) {
    if (atMs > fromMs) {
      steps.push(stepOf({ fromMs, toMs: atMs }, nodes, counts));
      fromMs = atMs;
    }
    counts[what][node] = (counts[what][node] ?? 0) + change;
  }
  if (window.toMs > fromMs) steps.push(stepOf({ fromMs, toMs: window.toMs }, nodes, counts));
  return steps;
}

/** Adds the two ends of a span, as far as it lies in the window. */
function mark(
  marks: Mark[],
  { span, what, node }: Pick<Mark, "node" | "what"> & { readonly span: SpanMs },
  window: SpanMs,
): void {
  const { fromMs, toMs } = span;
  if (fromMs >= window.toMs || toMs <= window.fromMs) return;
  marks.push({ atMs: Math.max(fromMs, window.fromMs), node, what, change: 1 });
  marks.push({ atMs: Math.min(toMs, window.toMs), node, what, change: -1 });
}

function stepOf({ fromMs, toMs }: SpanMs, nodes: readonly NodeName[], { live, away }: Counts): SupportStep {
  const holds = (index: number): boolean => (live[index] ?? 0) > 0;
  return {
    fromMs,
    toMs,
    holding: nodes.filter((_, index) => holds(index)),
    away: nodes.filter((_, index) => !holds(index) && (away[index] ?? 0) > 0),
  };
}
