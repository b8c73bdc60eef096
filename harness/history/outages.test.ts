import { describe, expect, test } from "vitest";
import { type At, applied, down, healed, historyOf, up } from "./history.fixture.ts";
import { linkOutages, nodeOutages, workerDeaths, workerPauses } from "./outages.ts";

const stalled = (atMs: number): At => [atMs, { kind: "node-stalled", node: "A" }];
const resumed = (atMs: number): At => [atMs, { kind: "node-resumed", node: "A" }];

const spansOf = (events: readonly At[]) =>
  nodeOutages(historyOf(events)).map(({ node, kind, fromMs, toMs }) => [node, kind, fromMs, toMs]);

describe("nodeOutages", () => {
  test("a node is away from the kill to the start, or for ever", () => {
    expect(spansOf([down(50, "A"), up(120, "A"), down(200, "B", "power-loss")])).toEqual([
      ["A", "killed", 50, 120],
      ["B", "power-loss", 200, Infinity],
    ]);
  });

  test("a stalled node that is killed is down from then on, and a late wake-up does not bring it back", () => {
    expect(spansOf([stalled(10), down(50, "A"), resumed(60), up(120, "A")])).toEqual([
      ["A", "stalled", 10, 50],
      ["A", "killed", 50, 120],
    ]);
  });

  test("what was never away does not come back", () => {
    expect(spansOf([up(0, "A"), resumed(10)])).toEqual([]);
    expect(spansOf([stalled(10), resumed(60)])).toEqual([["A", "stalled", 10, 60]]);
  });
});

describe("linkOutages", () => {
  test("takes faults that name workers and nodes, from application to healing", () => {
    const history = historyOf([
      applied(0, "cut", "DE", ["W1"]),
      applied(5, "pause", "", ["W1"]),
      applied(5, "crash", "C"),
      healed(50, "cut"),
      healed(60, "pause"),
      applied(70, "for-ever", "A", ["W1", "W2"]),
    ]);

    expect(linkOutages(history)).toEqual([
      { fault: "cut", nodes: ["D", "E"], workers: ["W1"], fromMs: 0, toMs: 50 },
      { fault: "for-ever", nodes: ["A"], workers: ["W1", "W2"], fromMs: 70, toMs: Infinity },
    ]);
  });
});

describe("workerPauses and workerDeaths", () => {
  test("a pause ends when the worker goes on or is killed, or never", () => {
    const history = historyOf([
      [10, { kind: "worker-paused", worker: "W1" }],
      [20, { kind: "worker-resumed", worker: "W1" }],
      [30, { kind: "worker-paused", worker: "W2" }],
      [40, { kind: "worker-killed", worker: "W2" }],
      [50, { kind: "worker-paused", worker: "W3" }],
      [60, { kind: "worker-resumed", worker: "W1" }],
    ]);

    expect(workerPauses(history)).toEqual([
      { worker: "W1", fromMs: 10, toMs: 20 },
      { worker: "W2", fromMs: 30, toMs: 40 },
      { worker: "W3", fromMs: 50, toMs: Infinity },
    ]);
    expect([...workerDeaths(history)]).toEqual([["W2", 40]]);
  });

  test("whoever is killed again died the first time", () => {
    const history = historyOf([
      [40, { kind: "worker-killed", worker: "W2" }],
      [90, { kind: "worker-killed", worker: "W2" }],
    ]);

    expect([...workerDeaths(history)]).toEqual([["W2", 40]]);
  });
});
