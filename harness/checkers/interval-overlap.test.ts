import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { emptyIntervalTable, findOverlappingRows, type IntervalTable } from "./interval-overlap.ts";

interface Interval {
  readonly startMs: number;
  readonly endMs: number;
  readonly startSeq?: number;
  readonly endSeq?: number;
}

const NO_BOUND = 1_000_000;

/** Every interval has an owner of its own unless owners are given. */
function tableOf(intervals: readonly Interval[], owners?: readonly number[]): IntervalTable {
  const table = emptyIntervalTable(intervals.length);
  for (const [row, { startMs, endMs, startSeq = 0, endSeq = 0 }] of intervals.entries()) {
    table.startMs[row] = startMs;
    table.endMs[row] = endMs;
    table.startSeq[row] = startSeq;
    table.endSeq[row] = endSeq;
    table.owner[row] = owners?.[row] ?? row;
  }
  return table;
}

const pairsOf = (intervals: readonly Interval[], owners?: readonly number[]) =>
  findOverlappingRows(tableOf(intervals, owners), NO_BOUND)
    .map(({ earlier, later }) => [Math.min(earlier, later), Math.max(earlier, later)].join("-"))
    .sort();

describe("findOverlappingRows", () => {
  test("intervals that only touch do not overlap", () => {
    expect(
      pairsOf([
        { startMs: 5, endMs: 10 },
        { startMs: 10, endMs: 20 },
      ]),
    ).toEqual([]);
  });

  test("a long interval overlaps everything within it, also behind shorter ones", () => {
    expect(
      pairsOf([
        { startMs: 0, endMs: 100 },
        { startMs: 10, endMs: 20 },
        { startMs: 30, endMs: 40 },
        { startMs: 100, endMs: 110 },
      ]),
    ).toEqual(["0-1", "0-2"]);
  });

  test("an empty interval overlaps nothing, not even what is around it", () => {
    expect(
      pairsOf([
        { startMs: 0, endMs: 100 },
        { startMs: 50, endMs: 50 },
        { startMs: 60, endMs: 20 },
      ]),
    ).toEqual([]);
  });

  test("the sequence decides ties of time", () => {
    const first = { startMs: 5, startSeq: 1, endMs: 10, endSeq: 7 };

    expect(pairsOf([first, { startMs: 10, startSeq: 6, endMs: 20 }])).toEqual(["0-1"]);
    expect(pairsOf([first, { startMs: 10, startSeq: 7, endMs: 20 }])).toEqual([]);
  });

  test("intervals of one owner are not compared", () => {
    expect(
      pairsOf(
        [
          { startMs: 0, endMs: 10 },
          { startMs: 5, endMs: 15 },
        ],
        [3, 3],
      ),
    ).toEqual([]);
  });

  test("no more pairs are given than were asked for", () => {
    const same = Array.from({ length: 50 }, () => ({ startMs: 0, endMs: 10 }));

    expect(findOverlappingRows(tableOf(same), 7)).toHaveLength(7);
  });
});

const interval = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 8 }), fc.nat(3), fc.nat(3))
  .map(([startMs, lengthMs, startSeq, endSeq]) => ({ startMs, endMs: startMs + lengthMs, startSeq, endSeq }));

const isBefore = (left: readonly [number, number], right: readonly [number, number]) =>
  left[0] < right[0] || (left[0] === right[0] && left[1] < right[1]);

/** Straight from the definition: neither is empty, and each starts before the other ends. */
function doOverlap(left: Required<Interval>, right: Required<Interval>): boolean {
  const [leftStart, leftEnd] = [[left.startMs, left.startSeq] as const, [left.endMs, left.endSeq] as const];
  const [rightStart, rightEnd] = [
    [right.startMs, right.startSeq] as const,
    [right.endMs, right.endSeq] as const,
  ];
  return (
    isBefore(leftStart, leftEnd) &&
    isBefore(rightStart, rightEnd) &&
    isBefore(leftStart, rightEnd) &&
    isBefore(rightStart, leftEnd)
  );
}

property.prop([fc.array(interval, { maxLength: 30 })], { numRuns: 500 })(
  "findOverlappingRows finds what comparing every pair finds",
  (intervals) => {
    const expected = intervals.flatMap((left, leftRow) =>
      intervals.flatMap((right, rightRow) =>
        leftRow < rightRow && doOverlap(left, right) ? [`${leftRow}-${rightRow}`] : [],
      ),
    );

    expect(pairsOf(intervals)).toEqual(expected.sort());
  },
);
