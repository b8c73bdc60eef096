import { describe, expect, test } from "vitest";
import { type At, extended, historyOf, hold, released } from "../history/history.fixture.ts";
import type { HistoryHeader } from "../history/history.ts";
import { porcupineText } from "./porcupine.ts";

interface Line {
  readonly ClientId: number;
  readonly Input: { readonly op: string; readonly resource: string; readonly hold: string };
  readonly Call: number;
  readonly Return: number;
}

function linesOf(events: readonly At[], header: Partial<HistoryHeader> = {}): readonly Line[] {
  const lines = porcupineText(historyOf(events, header)).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

const orderOf = (lines: readonly Line[]) =>
  lines.map(({ Input: { op, hold: id }, Call, Return }) => `${op} ${id} ${Call}-${Return}`);

describe("porcupineText", () => {
  test("a released hold is an acquire and a release, each from its call to its return", () => {
    expect(porcupineText(historyOf(hold("W2/1", { at: 5, release: 100 })))).toBe(
      [
        '{"ClientId":1,"Input":{"op":"acquire","resource":"orders","hold":"W2/1"},"Call":0,"Output":true,"Return":1}\n',
        '{"ClientId":1,"Input":{"op":"release","resource":"orders","hold":"W2/1"},"Call":2,"Output":true,"Return":3}\n',
      ].join(""),
    );
  });

  test("what expires is released at its deadline", () => {
    const expiring = [...hold("W1/1", { at: 5, deadline: 50 }), ...hold("W2/1", { at: 60, release: 100 })];

    expect(orderOf(linesOf(expiring))).toEqual([
      "acquire W1/1 0-1",
      "release W1/1 2-2",
      "acquire W2/1 3-4",
      "release W2/1 5-6",
    ]);
  });

  test("a deadline comes before what happens in its millisecond, where the run has one order", () => {
    const touching = [...hold("W1/1", { at: 5, deadline: 60 }), ...hold("W2/1", { at: 60, release: 100 })];

    expect(orderOf(linesOf(touching)).slice(1, 3)).toEqual(["release W1/1 3-3", "acquire W2/1 2-4"]);
    expect(orderOf(linesOf(touching, { nodeStampUncertaintyMs: 1 })).slice(1, 3)).toEqual([
      "release W1/1 3-3",
      "acquire W2/1 2-3",
    ]);
  });

  test("who returns past its own deadline never held anything", () => {
    expect(linesOf(hold("W1/1", { at: 50, deadline: 40 }))).toEqual([]);
  });

  test("a belief that was over in the millisecond of its grant is none, where a run has no one order", () => {
    const brief: readonly At[] = [...hold("W1/1", { at: 5 }), [5, { kind: "worker-killed", worker: "W1" }]];

    expect(linesOf(brief)).toHaveLength(2);
    expect(linesOf(brief, { nodeStampUncertaintyMs: 1 })).toEqual([]);
  });

  test("a killed holder lets go when the kill is sent, a release that never returns is never over", () => {
    const killed: readonly At[] = [...hold("W1/1", { at: 5 }), [30, { kind: "worker-killed", worker: "W1" }]];
    const [openRelease] = released("W1/1", 30);
    const open = [...hold("W1/1", { at: 5 }), ...(openRelease === undefined ? [] : [openRelease])];

    expect(orderOf(linesOf(killed))).toEqual(["acquire W1/1 0-1", "release W1/1 2-2"]);
    expect(orderOf(linesOf(open))).toEqual(["acquire W1/1 0-1", "release W1/1 2-3"]);
  });

  test("an extension that revives a dead lock is an acquire of its own", () => {
    const revived = [
      ...hold("W1/1", { at: 5, deadline: 50 }),
      ...extended("W1/1", { at: 40, granted: 80, deadline: 120 }),
    ];

    expect(orderOf(linesOf(revived))).toEqual([
      "acquire W1/1 0-1",
      "release W1/1 2-2",
      "acquire W1/1 2-3",
      "release W1/1 4-4",
    ]);
  });
});
