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

interface Row {
  readonly hold: Hold;
  readonly span: Span;
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
      const both = [rows[earlier], rows[later]].filter((row) => row !== undefined);
      evidence.push(evidenceFrom(both, `both ${question.verb} ${resource}`));
    }
  }
  return verdictFromEvidence(evidence);
}

function rowsByResource(
  holds: readonly Hold[],
  spansOf: OverlapQuestion["spansOf"],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const hold of holds) {
    const group = groups.get(hold.resource) ?? [];
    groups.set(hold.resource, group);
    for (const span of spansOf(hold)) group.push({ hold, span });
  }
  return groups;
}

function tableOf(rows: readonly Row[], isOrdered: boolean): IntervalTable {
  const table = emptyIntervalTable(rows.length);
  const owners = new Map<string, number>();
  for (const [index, { hold, span }] of rows.entries()) {
    const owner = owners.get(hold.id) ?? owners.size;
    owners.set(hold.id, owner);
    table.owner[index] = owner;
    table.startMs[index] = span.from.atMs;
    table.endMs[index] = span.to.atMs;
    if (!isOrdered) continue;
    table.startSeq[index] = span.from.seq;
    table.endSeq[index] = span.to.seq;
  }
  return table;
}

function evidenceFrom(both: readonly Row[], what: string): Evidence {
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
