/**
 * The terminal's picture of the decisive seconds: a row for the faults, two for each worker (what it believed,
 * what it did), one for each node and each resource, and one for whatever a checker objects to.
 */
import { findingsOf } from "./findings.ts";
import { type Palette, PLAIN_PALETTE } from "./palette.ts";
import type { RunResult } from "./run-result.ts";
import { type Canvas, drawLane, type Lane, type Row, rowText } from "./timeline/canvas.ts";
import { conflictLanes, faultLane, resourceLanes } from "./timeline/event-lanes.ts";
import { asciiGlyphs, legendLines, plainGlyphs } from "./timeline/glyphs.ts";
import { nodeLanes } from "./timeline/node-lanes.ts";
import { runSpansOf } from "./timeline/run-spans.ts";
import { columnAt, type Scale, tickTimesMs } from "./timeline/scale.ts";
import { decisiveWindow } from "./timeline/window.ts";
import { workerLanes } from "./timeline/worker-lanes.ts";

export interface TimelineOptions {
  /** Columns of the terminal; default 100, at least 60. */
  readonly width?: number;
  readonly ascii?: boolean;
  readonly palette?: Palette;
}

export const WIDTH_DEFAULT = 100;
const WIDTH_MIN = 60;
const LABEL_COLUMNS = 13;

/** Empty where nothing was played. */
export function timelineText(run: RunResult, options: TimelineOptions = {}): string {
  const { width = WIDTH_DEFAULT, ascii = false, palette = PLAIN_PALETTE } = options;
  if (run.header === undefined || run.events.length === 0) return "";
  const findings = findingsOf(run);
  const spans = runSpansOf({ header: run.header, events: run.events });
  const widthUsed = Math.max(WIDTH_MIN, Math.floor(width));
  const scale = { ...decisiveWindow(findings[0], spans), columnCount: widthUsed - LABEL_COLUMNS };
  const canvas: Canvas = { scale, glyphs: ascii ? asciiGlyphs : plainGlyphs, used: new Set() };

  const groups = [
    [faultLane(run, spans)],
    workerLanes(spans),
    nodeLanes(spans),
    [...resourceLanes(run, spans), ...conflictLanes(findings)],
  ];
  const picture = groups.flatMap((lanes) => laneLines(lanes, canvas, palette));
  const legend = legendLines(canvas.used, canvas.glyphs, widthUsed).map((line) => palette.faint(line));
  return [palette.faint(axisLine(scale)), ...picture, "", ...legend].join("\n");
}

function laneLines(lanes: readonly Lane[], canvas: Canvas, palette: Palette): readonly string[] {
  return lanes.flatMap((lane) =>
    drawLane(lane, canvas).map((row, index) => labelledLine(index === 0 ? lane.label : "", row, palette)),
  );
}

function labelledLine(label: string, row: Row, palette: Palette): string {
  const shown = label.slice(0, LABEL_COLUMNS - 1).padEnd(LABEL_COLUMNS);
  return `${palette.strong(shown)}${rowText(row, palette)}`.trimEnd();
}

/** The times at their columns; the first one says the unit. */
function axisLine(scale: Scale): string {
  const cells = Array.from({ length: scale.columnCount }, () => " ");
  for (const [index, atMs] of tickTimesMs(scale).entries()) {
    const text = index === 0 ? `${atMs} ms` : String(atMs);
    const first = Math.min(columnAt(atMs, scale), scale.columnCount - text.length);
    for (const [offset, character] of Array.from(text).entries()) cells[first + offset] = character;
  }
  return `${"".padEnd(LABEL_COLUMNS)}${cells.join("")}`.trimEnd();
}
