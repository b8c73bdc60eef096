/** Overlaps between holds of one resource: what the declared and the actual checker have in common. */
import type { History } from "../history/history.ts";
import { type Hold, holdsOf } from "../history/holds.ts";
import type { Span } from "../history/moment.ts";
import { emptyIntervalTable, findOverlappingRows, type IntervalTable } from "./interval-overlap.ts";
import { EVIDENCE_MAX, type Evidence, unknown, type Verdict, verdictFromEvidence } from "./verdict.ts";
import { formatMs, listOf } from "./wording.ts";

export interface OverlapQuestion {
  readonly spansOf: (hold: Hold) => readonly Span[];
  /** What both did: `believed to hold`. */
  readonly verb: string;
}

/** Spans and whose they are, in columns; holds are told apart by their places in the history. */
interface Rows {
  readonly spans: Span[];
  readonly owners: number[];
}

/** Compares holds by their ids: values and tokens of two holds can be equal. */
export function checkOverlap(history: History, question: OverlapQuestion): Verdict {
  const holds = holdsOf(history);
  if (holds.length === 0) return unknown("no worker ever held a resource");
  // Where node stamps have no uncertainty the whole run has one order, and it decides ties.
  const isOrdered = history.header.nodeStampUncertaintyMs === 0;
  const evidence: Evidence[] = [];
  for (const [resource, rows] of rowsByResource(holds, question.spansOf)) {
    for (const { earlier, later } of findOverlappingRows(tableOf(rows, isOrdered), EVIDENCE_MAX)) {
      const both = [earlier, later].flatMap((row) => believedAt(row, rows, holds));
      evidence.push(evidenceFrom(both, `both ${question.verb} ${resource}`));
    }
  }
  return verdictFromEvidence(evidence);
}

function rowsByResource(
  holds: readonly Hold[],
  spansOf: OverlapQuestion["spansOf"],
): ReadonlyMap<string, Rows> {
  const groups = new Map<string, Rows>();
  for (const [owner, hold] of holds.entries()) {
    let group = groups.get(hold.resource);
    if (group === undefined) groups.set(hold.resource, (group = { spans: [], owners: [] }));
    for (const span of spansOf(hold)) {
      group.spans.push(span);
      group.owners.push(owner);
    }
  }
  return groups;
}

interface Believed {
  readonly hold: Hold;
  readonly span: Span;
}

function believedAt(row: number, { spans, owners }: Rows, holds: readonly Hold[]): readonly Believed[] {
  const span = spans[row];
  const hold = holds[owners[row] ?? -1];
  return span === undefined || hold === undefined ? [] : [{ hold, span }];
}

function tableOf({ spans, owners }: Rows, isOrdered: boolean): IntervalTable {
  const table = emptyIntervalTable(spans.length);
  table.owner.set(owners);
  for (const [index, span] of spans.entries()) {
    table.startMs[index] = span.from.atMs;
    table.endMs[index] = span.to.atMs;
    if (!isOrdered) continue;
    table.startSeq[index] = span.from.seq;
    table.endSeq[index] = span.to.seq;
  }
  return table;
}

function evidenceFrom(both: readonly Believed[], what: string): Evidence {
  const fromMs = Math.max(...both.map(({ span }) => span.from.atMs));
  const toMs = Math.min(...both.map(({ span }) => span.to.atMs));
  const names = both.map(({ hold }) => `${hold.worker} (${hold.id})`);
  return {
    sentence: `${listOf(names)} ${what} from ${formatMs(fromMs)} to ${formatMs(toMs)}`,
    fromMs,
    toMs,
    seqs: both
      .flatMap(({ span }) => [span.from.seq, span.to.seq])
      .filter((seq) => seq >= 0)
      .sort((left, right) => left - right),
  };
}
