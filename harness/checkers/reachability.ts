/** Which worker could reach which node, and when: from outages of nodes and faults on links. */
import type { NodeName, WorkerId } from "../history/event.ts";
import { guardSilences } from "../history/guard-silences.ts";
import type { History } from "../history/history.ts";
import { oncePerHistory } from "../history/once-per-history.ts";
import { linkOutages, nodeOutages } from "../history/outages.ts";

/** Half-open; `toMs` is `Infinity` where it never ended. */
export interface SpanMs {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Reachability {
  /** When the worker could not reach the node, in no particular order; spans may overlap. */
  readonly cutOff: (worker: WorkerId, node: NodeName) => readonly SpanMs[];
  /** When none of these workers could reach a quorum of nodes that vote; in order and disjoint. */
  readonly withoutQuorum: (workers: readonly WorkerId[]) => readonly SpanMs[];
}

/** Links that are only slow count as cut: what they delay may come too late. */
export const reachabilityOf = oncePerHistory(readReachability);

function readReachability(history: History): Reachability {
  const downs = nodeOutages(history);
  const cuts = linkOutages(history);
  const { nodes, quorum } = history.header;
  const cutOff = (worker: WorkerId, node: NodeName): readonly SpanMs[] => [
    ...downs.filter((outage) => outage.node === node),
    ...cuts.filter((cut) => cut.workers.includes(worker) && cut.nodes.includes(node)),
  ];
  const mute = [...downs, ...guardSilences(history)];
  const isCutOff = (worker: WorkerId, node: NodeName, atMs: number): boolean =>
    mute.some((outage) => outage.node === node && contains(outage, atMs)) ||
    cuts.some((cut) => contains(cut, atMs) && cut.workers.includes(worker) && cut.nodes.includes(node));
  const reaches = (worker: WorkerId, atMs: number): number =>
    nodes.length - nodes.filter((node) => isCutOff(worker, node, atMs)).length;

  const withoutQuorum = (workers: readonly WorkerId[]): readonly SpanMs[] => {
    const edges = [...mute, ...cuts].flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
    const times = [...new Set(edges)].sort((left, right) => left - right);
    const spans: SpanMs[] = [];
    let lostAtMs: number | undefined;
    for (const atMs of times) {
      if (!workers.some((worker) => reaches(worker, atMs) >= quorum)) {
        lostAtMs ??= atMs;
      } else if (lostAtMs !== undefined) {
        // What never ended is contained up to `Infinity`, which is then the last of the times.
        spans.push({ fromMs: lostAtMs, toMs: atMs });
        lostAtMs = undefined;
      }
    }
    return spans;
  };
  return { cutOff, withoutQuorum };
}

export function contains({ fromMs, toMs }: SpanMs, atMs: number): boolean {
  return fromMs <= atMs && atMs < toMs;
}

/** Also true where they only touch. */
export function touches(left: SpanMs, right: SpanMs): boolean {
  return left.fromMs <= right.toMs && right.fromMs <= left.toMs;
}
