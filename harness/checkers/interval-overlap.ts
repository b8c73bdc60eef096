/**
 * All overlapping pairs among many intervals, in O(n log n + pairs) on typed arrays. Intervals are half-open;
 * what has the same time is ordered by sequence.
 */

/** One row for each interval. Those of one owner must be disjoint: an owner never overlaps itself. */
export interface IntervalTable {
  readonly startMs: Float64Array;
  readonly startSeq: Float64Array;
  readonly endMs: Float64Array;
  readonly endSeq: Float64Array;
  readonly owner: Uint32Array;
}

/** Two rows of the table; `earlier` is the one that started first. */
export interface OverlappingRows {
  readonly earlier: number;
  readonly later: number;
}

export function emptyIntervalTable(rowCount: number): IntervalTable {
  return {
    startMs: new Float64Array(rowCount),
    startSeq: new Float64Array(rowCount),
    endMs: new Float64Array(rowCount),
    endSeq: new Float64Array(rowCount),
    owner: new Uint32Array(rowCount),
  };
}

/**
 * Overlapping rows of different owners, ordered by the later start; no more than `pairsMax`. Empty intervals
 * overlap nothing.
 */
export function findOverlappingRows(table: IntervalTable, pairsMax: number): readonly OverlappingRows[] {
  const pairs: OverlappingRows[] = [];
  /** Rows that have not ended yet. */
  const active: number[] = [];
  for (const row of rowsByStart(table)) {
    if (isOverBefore(table, row, row)) continue;
    let activeCount = 0;
    for (const other of active) {
      if (isOverBefore(table, other, row)) continue;
      active[activeCount] = other;
      activeCount += 1;
      if (table.owner[other] === table.owner[row]) continue;
      if (pairs.length >= pairsMax) return pairs;
      pairs.push({ earlier: other, later: row });
    }
    active.length = activeCount;
    active.push(row);
  }
  return pairs;
}

/** Holds come in the order of their grants, so that there is seldom anything to sort. */
function rowsByStart(table: IntervalTable): Uint32Array {
  const rowCount = table.startMs.length;
  const rows = new Uint32Array(rowCount);
  let isSorted = true;
  for (let row = 0; row < rowCount; row += 1) {
    rows[row] = row;
    isSorted &&= row === 0 || byStart(table, row - 1, row) < 0;
  }
  return isSorted ? rows : rows.sort((left, right) => byStart(table, left, right));
}

function byStart({ startMs, startSeq }: IntervalTable, left: number, right: number): number {
  return at(startMs, left) - at(startMs, right) || at(startSeq, left) - at(startSeq, right) || left - right;
}

/** True when `row` has ended by the time at which `next` starts. */
function isOverBefore(
  { startMs, startSeq, endMs, endSeq }: IntervalTable,
  row: number,
  next: number,
): boolean {
  const apartMs = at(endMs, row) - at(startMs, next);
  return apartMs < 0 || (apartMs === 0 && at(endSeq, row) <= at(startSeq, next));
}

function at(column: Float64Array, row: number): number {
  return Number(column[row]);
}
