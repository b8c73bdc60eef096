/** Rows of cells: bars and marks are drawn over each other, and colours are put on when the row is done. */
import type { Palette } from "../palette.ts";
import type { Glyph, GlyphSet } from "./glyphs.ts";
import { columnAt, columnsOf, isInWindow, type Scale, type TimeWindow } from "./scale.ts";

/** What a cell means; a number is the worker's place in the list of workers. */
export type Tint = "bad" | "notable" | "faint" | "good" | number;

export interface Bar extends TimeWindow {
  readonly glyph: Glyph;
  readonly tint: Tint;
  /** Written over the bar's start where it fits. */
  readonly label?: string;
  /** Written instead where only one cell is there. */
  readonly initial?: string;
}

export interface Mark {
  readonly atMs: number;
  readonly glyph: Glyph;
  readonly tint: Tint;
}

/** A mark with words beside it, and perhaps a bar behind them that says how long it lasts. */
export interface Note extends Mark {
  readonly text: string;
  readonly lasts?: { readonly untilMs: number; readonly healed: boolean };
}

export interface Lane {
  readonly label: string;
  /** Drawn in this order. */
  readonly bars?: readonly Bar[];
  readonly marks?: readonly Mark[];
  /** Spread over as many rows as they need. */
  readonly notes?: readonly Note[];
}

export interface Canvas {
  readonly scale: Scale;
  readonly glyphs: GlyphSet;
  /** Filled while drawing: what the legend has to explain. */
  readonly used: Set<Glyph>;
}

export interface Cell {
  readonly text: string;
  readonly tint?: Tint;
}

export type Row = Cell[];

interface NoteRow {
  readonly cells: Row;
  /** The first column that no note has taken. */
  free: number;
}

const NOTE_ROWS_MAX = 8;

/** The rows of a lane, at least one. */
export function drawLane(lane: Lane, canvas: Canvas): readonly Row[] {
  const row = emptyRow(canvas);
  for (const bar of lane.bars ?? []) drawBar(row, bar, canvas);
  for (const mark of lane.marks ?? []) drawMark(row, mark, canvas);
  const noteRows = drawNotes(lane.notes ?? [], canvas);
  return lane.bars === undefined && lane.marks === undefined && noteRows.length > 0
    ? noteRows
    : [row, ...noteRows];
}

/** The row as text, neighbours of one tint painted together, without blanks at its end. */
export function rowText(row: Row, palette: Palette): string {
  const end = row.findLastIndex(({ text }) => text !== " ") + 1;
  let painted = "";
  let start = 0;
  while (start < end) {
    const tint = row[start]?.tint;
    let stop = start + 1;
    while (stop < end && row[stop]?.tint === tint) stop += 1;
    const text = row
      .slice(start, stop)
      .map((cell) => cell.text)
      .join("");
    painted += tint === undefined ? text : paintOf(tint, palette)(text);
    start = stop;
  }
  return painted;
}

function emptyRow({ scale }: Canvas): Row {
  return Array.from({ length: scale.columnCount }, () => ({ text: " " }));
}

function drawBar(row: Row, bar: Bar, canvas: Canvas): void {
  const columns = columnsOf(bar, canvas.scale);
  if (columns === undefined) return;
  const { first, last } = columns;
  canvas.used.add(bar.glyph);
  const text = canvas.glyphs(bar.glyph);
  for (let column = first; column <= last; column += 1) row[column] = { text, tint: bar.tint };
  const length = last - first + 1;
  const label = bar.label !== undefined && bar.label.length < length ? bar.label : bar.initial;
  if (label !== undefined && label.length <= length) write(row, first, { text: label, tint: bar.tint });
}

function drawMark(row: Row, { atMs, glyph, tint }: Mark, canvas: Canvas): void {
  if (!isInWindow(atMs, canvas.scale)) return;
  canvas.used.add(glyph);
  row[columnAt(atMs, canvas.scale)] = { text: canvas.glyphs(glyph), tint };
}

function drawNotes(notes: readonly Note[], canvas: Canvas): readonly Row[] {
  const rows: NoteRow[] = [];
  for (const note of notes) {
    const place = placeOf(note, canvas);
    if (place === undefined) continue;
    const target = rows.find(({ free }) => place.first >= free) ?? addRow(rows, canvas);
    drawNote(target.cells, { note, first: place.first }, canvas);
    target.free = place.last + 2;
  }
  return rows.map(({ cells }) => cells);
}

/** Where the picture would get too tall the last row is written over. */
function addRow(rows: NoteRow[], canvas: Canvas): NoteRow {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === NOTE_ROWS_MAX) return last;
  const added = { cells: emptyRow(canvas), free: 0 };
  rows.push(added);
  return added;
}

/** Where a note goes: its sign at its time, moved left only where the words would not fit. */
function placeOf(
  note: Note,
  { scale }: Canvas,
): { readonly first: number; readonly last: number } | undefined {
  const columns = columnsOf({ fromMs: note.atMs, toMs: note.lasts?.untilMs ?? note.atMs }, scale);
  if (columns === undefined) return undefined;
  const length = note.text.length + 1;
  const first = Math.max(0, Math.min(columns.first, scale.columnCount - length));
  return { first, last: Math.max(first + length - 1, columns.last) };
}

function drawNote(
  row: Row,
  { note, first }: { readonly note: Note; readonly first: number },
  canvas: Canvas,
): void {
  if (note.lasts !== undefined) {
    drawBar(row, { fromMs: note.atMs, toMs: note.lasts.untilMs, glyph: "faultOn", tint: "faint" }, canvas);
  }
  canvas.used.add(note.glyph);
  write(row, first, { text: `${canvas.glyphs(note.glyph)}${note.text}`, tint: note.tint });
  const { lasts } = note;
  if (lasts === undefined || !lasts.healed || !isInWindow(lasts.untilMs, canvas.scale)) return;
  const end = columnAt(lasts.untilMs, canvas.scale);
  if (end > first + note.text.length) {
    canvas.used.add("faultEnd");
    write(row, end, { text: canvas.glyphs("faultEnd"), tint: note.tint });
  }
}

/** Each character into a cell of its own, from a column on. */
function write(row: Row, first: number, { text, tint }: Cell & { readonly tint: Tint }): void {
  for (const [index, character] of Array.from(text).entries()) {
    if (first + index < row.length) row[first + index] = { text: character, tint };
  }
}

function paintOf(tint: Tint, palette: Palette): (text: string) => string {
  if (typeof tint === "string") return palette[tint];
  return palette.workers[tint % palette.workers.length] ?? palette.workers[0];
}
