import { describe, expect, test } from "vitest";
import { type At, extended, historyOf, hold, section, settled } from "./history.fixture.ts";
import { type Hold, holdsOf } from "./holds.ts";
import type { Span } from "./moment.ts";

const W1 = { worker: "W1", hold: "W1/1" };

function onlyHold(...events: readonly At[]): Hold {
  const [first, ...others] = holdsOf(historyOf(events));
  expect(others).toEqual([]);
  if (first === undefined) throw new Error("no hold");
  return first;
}

const inMs = (spans: readonly Span[]) => spans.map(({ from, to }) => [from.atMs, to.atMs]);

describe("holdsOf: the declared interval", () => {
  test("runs from the return to the deadline", () => {
    const found = onlyHold(...hold("W1/1", { at: 5, deadline: 988 }), ...settled(2000));

    expect(inMs(found.declared)).toEqual([[5, 988]]);
    expect(found).toMatchObject({ ending: "expired", value: "v-W1/1", worker: "W1", firstDeadlineMs: 988 });
  });

  test("is cut when the release is invoked", () => {
    const found = onlyHold(...hold("W1/1", { at: 5, release: 100 }), ...settled(2000));

    expect(inMs(found.declared)).toEqual([[5, 100]]);
    expect(found.ending).toBe("released");
  });

  test("is cut where the coordinator announces a loss", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, release: 400 }),
      [310, { kind: "belief-ended", ...W1, reason: "lost" }],
      ...settled(2000),
    );

    expect(inMs(found.declared)).toEqual([[5, 310]]);
    expect(found).toMatchObject({ ending: "lost", believedUntil: { atMs: 310 } });
  });

  test("is cut when the worker is killed", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5 }),
      ...section("W1/1", 6, null),
      [50, { kind: "worker-killed", worker: "W1" }],
      ...settled(2000),
    );

    expect(inMs(found.declared)).toEqual([[5, 50]]);
    expect(inMs(found.actual)).toEqual([[6, 50]]);
    expect(found.ending).toBe("killed");
  });

  test("takes in nothing that is stamped after the kill was sent: it was done in the instant before it hit", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5 }),
      [6, { kind: "worker-killed", worker: "W1" }],
      ...section("W1/1", 6.001, null),
      ...settled(2000),
    );
    const granted = holdsOf(
      historyOf([[4, { kind: "worker-killed", worker: "W1" }], ...hold("W1/1", { at: 5 }), ...settled(2000)]),
    );

    expect(inMs(found.declared)).toEqual([[5, 6]]);
    expect(found.actual).toEqual([]);
    expect(granted).toMatchObject([{ declared: [], actual: [], ending: "killed" }]);
  });

  test("of a worker is not touched by the death of another, nor by an announcement after its deadline", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, deadline: 988 }),
      [50, { kind: "worker-killed", worker: "W2" }],
      [2500, { kind: "belief-ended", ...W1, reason: "expired" }],
      ...settled(3000),
    );

    expect(inMs(found.declared)).toEqual([[5, 988]]);
  });

  test("grows by an extension", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, deadline: 988 }),
      ...extended("W1/1", { at: 500, granted: 505, deadline: 1488 }),
      ...settled(2000),
    );

    expect(inMs(found.declared)).toEqual([[5, 1488]]);
    expect(found.firstDeadlineMs).toBe(988);
  });

  test("has a gap where an extension came back after the old deadline, announced or not", () => {
    const revived = [
      ...hold("W1/1", { at: 5, deadline: 988 }),
      ...extended("W1/1", { at: 960, granted: 1024, deadline: 1948 }),
      ...settled(3000),
    ];
    const announced: At = [988, { kind: "belief-ended", ...W1, reason: "expired" }];

    expect(inMs(onlyHold(...revived).declared)).toEqual([
      [5, 988],
      [1024, 1948],
    ]);
    expect(inMs(onlyHold(...revived, announced).declared)).toEqual([
      [5, 988],
      [1024, 1948],
    ]);
  });

  test("gains nothing from an extension that returns after the release was invoked", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, release: 502 }),
      ...extended("W1/1", { at: 500, granted: 505, deadline: 1488 }),
      ...settled(2000),
    );

    expect(inMs(found.declared)).toEqual([[5, 502]]);
    expect(found.believedUntil.atMs).toBe(502);
  });

  test("never shrinks by an extension with an earlier deadline", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, deadline: 988 }),
      ...extended("W1/1", { at: 100, granted: 105, deadline: 300 }),
      ...settled(2000),
    );

    expect(inMs(found.declared)).toEqual([[5, 988]]);
    expect(found.believedUntil.atMs).toBe(988);
  });

  test("is empty where the acquire returned past its deadline", () => {
    const found = onlyHold(...hold("W1/1", { at: 1400, deadline: 988 }), ...settled(2000));

    expect(found.declared).toEqual([]);
    expect(found).toMatchObject({ believedUntil: { atMs: 988 }, ending: "expired" });
  });

  test("goes to where the deadline lies when the holder's machine has stood still, as scenario S04 tells it", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, deadline: 987 }),
      [10, { kind: "worker-suspended", worker: "W1" }],
      [5010, { kind: "worker-resumed", worker: "W1" }],
      [5010, { kind: "deadline-moved", ...W1, deadlineMs: 5987 }],
      [5987, { kind: "belief-ended", ...W1, reason: "expired" }],
      ...settled(7000),
    );

    expect(inMs(found.declared)).toEqual([[5, 5987]]);
    expect(found).toMatchObject({
      firstDeadlineMs: 987,
      lastDeadlineMs: 5987,
      believedUntil: { atMs: 5987 },
      ending: "expired",
    });
  });

  test("is shorter where the holder's clock runs faster", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, deadline: 1000 }),
      [400, { kind: "deadline-moved", ...W1, deadlineMs: 700 }],
      [700, { kind: "belief-ended", ...W1, reason: "expired" }],
      ...settled(2000),
    );

    expect(inMs(found.declared)).toEqual([[5, 700]]);
    expect(found.lastDeadlineMs).toBe(700);
  });

  test("keeps the gap of a revival when the deadline moves after it", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, deadline: 988 }),
      ...extended("W1/1", { at: 960, granted: 1024, deadline: 1948 }),
      [1100, { kind: "deadline-moved", ...W1, deadlineMs: 2500 }],
      ...settled(3000),
    );

    expect(inMs(found.declared)).toEqual([
      [5, 988],
      [1024, 2500],
    ]);
  });

  test("is extended from where a moved deadline lies", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, deadline: 988 }),
      [300, { kind: "deadline-moved", ...W1, deadlineMs: 1500 }],
      ...extended("W1/1", { at: 1200, granted: 1205, deadline: 2100 }),
      ...settled(3000),
    );

    expect(inMs(found.declared)).toEqual([[5, 2100]]);
  });

  test("is not touched by clocks once it was released", () => {
    const found = onlyHold(
      ...hold("W1/1", { at: 5, release: 100 }),
      [200, { kind: "deadline-moved", ...W1, deadlineMs: 5987 }],
      ...settled(2000),
    );

    expect(inMs(found.declared)).toEqual([[5, 100]]);
    expect(found.ending).toBe("released");
  });

  test("is open where the run was over first", () => {
    expect(onlyHold(...hold("W1/1", { at: 5, deadline: 988 })).ending).toBe("open");
  });
});

describe("holdsOf: the actual interval", () => {
  test("runs from entering to leaving the critical section, whatever the deadline says", () => {
    const found = onlyHold(...hold("W1/1", { at: 5, deadline: 988 }), ...section("W1/1", 6, 3010));

    expect(inMs(found.actual)).toEqual([[6, 3010]]);
  });

  test("lasts to the end of the run where the section was never left", () => {
    const found = onlyHold(...hold("W1/1", { at: 5 }), ...section("W1/1", 6, null), ...settled(2000));

    expect(inMs(found.actual)).toEqual([[6, 2200]]);
  });
});

describe("holdsOf", () => {
  test("passes over events of a hold that was never granted", () => {
    expect(holdsOf(historyOf(section("W1/1", 5, 10)))).toEqual([]);
  });

  test("keeps holds apart by their id, in the order of the grants", () => {
    const history = historyOf([
      ...hold("W2/1", { at: 200, release: 300 }),
      ...hold("W1/1", { at: 5, release: 100, fencingToken: "7" }),
      ...hold("W1/2", { at: 400, release: 500 }),
    ]);

    expect(holdsOf(history).map(({ id, fencingToken }) => [id, fencingToken])).toEqual([
      ["W1/1", "7"],
      ["W2/1", undefined],
      ["W1/2", undefined],
    ]);
  });

  test("tells events of one millisecond apart by their order", () => {
    const [first] = holdsOf(
      historyOf([...hold("W1/1", { at: 5 }), [5, { kind: "belief-ended", ...W1, reason: "lost" }]]),
    );

    expect(first?.declared).toHaveLength(1);
    expect(inMs(first?.declared ?? [])).toEqual([[5, 5]]);
  });
});
