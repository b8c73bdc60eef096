import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { HEADER, eventsOf, runResult, s01Result, s14Result } from "./run-result.fixture.ts";
import { timelineText } from "./timeline.ts";

/** The rows by their labels; a continued row has none. */
const rowsOf = (text: string) =>
  new Map(text.split("\n").map((line) => [line.slice(0, 13).trim(), line.slice(13)] as const));

describe("timelineText", () => {
  test("a forgetful node shows both keys with its absence between them", () => {
    const rows = rowsOf(timelineText(s14Result()));

    expect(rows.get("C")).toMatch(/^W1─*╳+W2─+$/);
    expect(rows.get("A")).toMatch(/^W1─+$/);
    expect(rows.get("D")).toMatch(/^ +W2─+$/);
  });

  test("belief ends at the deadline, and what must not be is marked where both believe", () => {
    const rows = rowsOf(timelineText(s14Result()));
    const overlap = rows.get("two believe") ?? "";

    expect(rows.get("W1 believes")).toMatch(/^━+┤$/);
    expect(overlap.indexOf("!")).toBe(rows.get("W2 believes")?.indexOf("━"));
    expect(overlap.length).toBeLessThanOrEqual(rows.get("W1 believes")?.length ?? 0);
  });

  test("a pause covers the critical section, and the stale write stands out", () => {
    const rows = rowsOf(timelineText(s01Result({ fenced: false })));

    expect(rows.get("W1 works")).toMatch(/^░+█?$/);
    expect(rows.get("orders")).toMatch(/✓W2 +‼W1$/);
    expect(rows.get("faults")).toMatch(/^▼W1 paused 1600 ms┄+▲$/);
  });

  test("a refused write shows its token", () => {
    expect(rowsOf(timelineText(s01Result({ fenced: true }))).get("orders")).toMatch(
      /✓W2 token 34 +✗W1 token 33$/,
    );
  });

  test("a killed worker, a stalled node, a clock step and a lost attempt have signs of their own", () => {
    const events = eventsOf(
      [
        0,
        { kind: "acquire-invoked", worker: "W1", call: "W1#1", resource: "orders", ttlMs: 1000, waitMs: 0 },
      ],
      [
        50,
        {
          kind: "acquire-failed",
          worker: "W1",
          call: "W1#1",
          resource: "orders",
          code: "unavailable",
          votes: [],
        },
      ],
      [100, { kind: "node-stalled", node: "B" }],
      [200, { kind: "node-resumed", node: "B" }],
      [300, { kind: "clock-jumped", node: "A", byMs: 2000 }],
      [400, { kind: "clock-jumped", node: "A", byMs: -2000 }],
      [500, { kind: "worker-killed", worker: "W2" }],
      [1000, { kind: "story-ended", cause: "done" }],
    );
    const rows = rowsOf(timelineText(runResult({ events })));

    expect(rows.get("W1 believes")).toMatch(/^·+×$/);
    expect(rows.get("B")).toMatch(/^ +≈+$/);
    expect(rows.get("A")).toMatch(/^ +» +«$/);
    expect(rows.get("W2 works")).toMatch(/^ +†$/);
  });

  test("the legend explains what occurs and nothing else", () => {
    const text = timelineText(s14Result());

    expect(text).toContain("╳ down");
    expect(text).not.toContain("stalled");
  });

  test("colour comes from the palette, and text in colour lines up with text without", () => {
    const paint = (name: string) => (text: string) => `<${name}>${text}</>`;
    const palette = {
      good: paint("good"),
      bad: paint("bad"),
      notable: paint("notable"),
      faint: paint("faint"),
      strong: paint("strong"),
      workers: [paint("w1"), paint("w2")] as const,
    };
    const coloured = timelineText(s14Result(), { palette });

    expect(coloured).toContain("<w1>W1─");
    expect(coloured.replaceAll(/<[^>]*>/g, "").replaceAll(/ +$/gm, "")).toBe(timelineText(s14Result()));
  });

  test("a run that played nothing has no picture", () => {
    expect(timelineText(runResult({ header: undefined }))).toBe("");
    expect(timelineText(runResult({ events: [] }))).toBe("");
  });

  test("a run of a single instant has one", () => {
    const events = eventsOf([0, { kind: "run-ended" }]);

    expect(timelineText(runResult({ events, header: HEADER }))).toContain("0 ms");
  });

  test.prop([fc.integer({ min: 1, max: 300 }), fc.boolean(), fc.boolean()])(
    "no line is wider than the terminal, which counts as 60 at least",
    (width, ascii, fenced) => {
      for (const run of [s14Result(), s01Result({ fenced })]) {
        const text = timelineText(run, { width, ascii });
        const widest = Math.max(...text.split("\n").map((line) => line.length));

        expect(widest).toBeLessThanOrEqual(Math.max(width, 60));
        if (ascii) expect(text).toMatch(/^[\n -~]*$/);
      }
    },
  );
});
