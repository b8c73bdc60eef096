/** Run time to columns and back: the window that is shown, how wide it is, and where the axis has its ticks. */

export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Scale extends TimeWindow {
  readonly columnCount: number;
}

/** The columns that a span covers, at least one; `undefined` where the window does not touch it. */
export function columnsOf(
  { fromMs, toMs }: TimeWindow,
  scale: Scale,
): { readonly first: number; readonly last: number } | undefined {
  if (toMs < scale.fromMs || fromMs > scale.toMs) return undefined;
  const first = columnAt(fromMs, scale);
  const last = Math.ceil(position(toMs, scale)) - 1;
  return { first, last: Math.max(first, Math.min(last, scale.columnCount - 1)) };
}

/** The column of an instant, kept inside the window. */
export function columnAt(atMs: number, scale: Scale): number {
  return Math.max(0, Math.min(Math.floor(position(atMs, scale)), scale.columnCount - 1));
}

export function isInWindow(atMs: number, { fromMs, toMs }: TimeWindow): boolean {
  return atMs >= fromMs && atMs <= toMs;
}

/** Round times, far enough apart that their labels do not touch. */
export function tickTimesMs(scale: Scale): readonly number[] {
  const spanMs = scale.toMs - scale.fromMs;
  const ticksMax = Math.max(1, Math.floor(scale.columnCount / TICK_COLUMNS_MIN));
  const stepMs = roundStepMs(spanMs / ticksMax);
  const firstMs = Math.ceil(scale.fromMs / stepMs) * stepMs;
  const count = Math.floor((scale.toMs - firstMs) / stepMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => firstMs + index * stepMs);
}

const TICK_COLUMNS_MIN = 9;
const ROUND_FACTORS = [1, 2, 5, 10];

function position(atMs: number, { fromMs, toMs, columnCount }: Scale): number {
  return toMs === fromMs ? 0 : ((atMs - fromMs) / (toMs - fromMs)) * columnCount;
}

/** The next 1, 2 or 5 times a power of ten, at least 1 ms. */
function roundStepMs(leastMs: number): number {
  const powerMs = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(leastMs, 1))));
  const factor = ROUND_FACTORS.find((candidate) => candidate * powerMs >= leastMs) ?? 10;
  return factor * powerMs;
}
