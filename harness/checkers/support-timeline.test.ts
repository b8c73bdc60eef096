import { describe, expect, test } from "vitest";
import { down, extended, historyOf, hold, keySet, settled, up } from "../history/history.fixture.ts";
import { supportTimeline } from "./support-timeline.ts";

describe("supportTimeline", () => {
  test("tells for each hold which nodes stood behind it, and when that changed", () => {
    const history = historyOf([
      ...hold("W1/1", { at: 5, deadline: 988 }),
      keySet(8, "D", "W1/1"),
      down(50, "C"),
      up(120, "C"),
      down(60, "E"),
      ...settled(2000),
    ]);

    expect(supportTimeline(history).map(({ hold: { id }, steps }) => [id, steps])).toEqual([
      [
        "W1/1",
        [
          { fromMs: 5, toMs: 8, holding: ["A", "B", "C"], away: [] },
          { fromMs: 8, toMs: 50, holding: ["A", "B", "C", "D"], away: [] },
          { fromMs: 50, toMs: 60, holding: ["A", "B", "D"], away: ["C"] },
          { fromMs: 60, toMs: 120, holding: ["A", "B", "D"], away: ["C", "E"] },
          { fromMs: 120, toMs: 988, holding: ["A", "B", "D"], away: ["E"] },
        ],
      ],
    ]);
  });

  test("goes no further than the run, and leaves the gap before a revival out", () => {
    const history = historyOf([
      ...hold("W1/1", { at: 5, deadline: 988 }),
      ...extended("W1/1", { at: 960, granted: 1024, deadline: 1948 }),
      [1100, { kind: "run-ended" }],
    ]);

    expect(supportTimeline(history)[0]?.steps).toEqual([
      { fromMs: 5, toMs: 988, holding: ["A", "B", "C"], away: [] },
      { fromMs: 1024, toMs: 1100, holding: [], away: [] },
    ]);
  });

  test("has no step where there was no belief, and none without a hold", () => {
    expect(supportTimeline(historyOf([]))).toEqual([]);
    expect(supportTimeline(historyOf(hold("W1/1", { at: 1400, deadline: 988 })))).toMatchObject([
      { steps: [] },
    ]);
    expect(supportTimeline(historyOf(hold("W1/1", { at: 5, deadline: 988 })))).toMatchObject([{ steps: [] }]);
  });
});
