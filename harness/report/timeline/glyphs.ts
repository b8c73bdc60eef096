/** The signs of the timeline, each in a plain and an ASCII form and with its line in the legend. */

export const GLYPHS = {
  asking: ["·", ".", "asks for the lock"],
  failed: ["×", "x", "did not get it"],
  belief: ["━", "=", "believes (declared)"],
  deadline: ["┤", "]", "deadline"],
  section: ["█", "#", "in its critical section"],
  paused: ["░", ":", "paused"],
  dead: ["†", "+", "killed"],
  key: ["─", "-", "holds a key (whose, if of a hold)"],
  down: ["╳", "%", "down"],
  stalled: ["≈", "~", "stalled"],
  clockForward: ["»", ">", "clock steps forward"],
  clockBack: ["«", "<", "clock steps back"],
  faultStart: ["▼", "v", "fault"],
  faultOn: ["┄", "_", "lasts"],
  faultEnd: ["▲", "^", "healed"],
  accepted: ["✓", "o", "write accepted"],
  refused: ["✗", "r", "write refused"],
  stale: ["‼", "S", "stale write accepted"],
  conflict: ["!", "!", "what must not be"],
} as const satisfies Readonly<Record<string, readonly [plain: string, ascii: string, meaning: string]>>;

export type Glyph = keyof typeof GLYPHS;

export type GlyphSet = (glyph: Glyph) => string;

export const plainGlyphs: GlyphSet = (glyph) => GLYPHS[glyph][0];
export const asciiGlyphs: GlyphSet = (glyph) => GLYPHS[glyph][1];

/** The meanings of the signs that were used, broken into lines. */
export function legendLines(used: ReadonlySet<Glyph>, glyphs: GlyphSet, width: number): readonly string[] {
  const entries = glyphNames().filter((glyph) => used.has(glyph));
  const lines: string[] = [];
  for (const glyph of entries) {
    const entry = `${glyphs(glyph)} ${GLYPHS[glyph][2]}`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + GAP.length + entry.length <= width) {
      lines[lines.length - 1] = `${last}${GAP}${entry}`;
    } else lines.push(entry);
  }
  return lines;
}

const GAP = "   ";

function glyphNames(): readonly Glyph[] {
  return Object.keys(GLYPHS).filter((name): name is Glyph => name in GLYPHS);
}
