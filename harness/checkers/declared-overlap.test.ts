import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { type At, extended, historyOf, hold, settled } from "../history/history.fixture.ts";
import { checkDeclaredOverlap } from "./declared-overlap.ts";

const verdictOf = (...events: readonly At[]) =>
  checkDeclaredOverlap(historyOf([...events, ...settled(5000)]));

describe("checkDeclaredOverlap", () => {
  test("without a hold nothing can be said", () => {
    expect(verdictOf()).toEqual({ kind: "unknown", reason: "no worker ever held a resource" });
  });

  test("holds one after the other are valid", () => {
    expect(
      verdictOf(...hold("W1/1", { at: 5, release: 100 }), ...hold("W2/1", { at: 110, release: 200 })),
    ).toEqual({ kind: "valid" });
  });

  test("S01: a paused holder believes only until its deadline", () => {
    expect(
      verdictOf(
        ...hold("W1/1", { at: 5, deadline: 988, release: 3010 }),
        ...hold("W2/1", { at: 1105, release: 1200 }),
      ),
    ).toEqual({ kind: "valid" });
  });

  test("S03: an acquire that returns past its own deadline believes nothing", () => {
    expect(verdictOf(...hold("W1/1", { at: 1400, deadline: 988 }), ...hold("W2/1", { at: 1010 }))).toEqual({
      kind: "valid",
    });
  });

  test("S07: two holders at once are named with the span of both", () => {
    expect(
      verdictOf(
        ...hold("W1/1", { at: 5, deadline: 988 }),
        ...hold("W2/1", { at: 115, deadline: 1098, nodes: "CDE" }),
      ),
    ).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence: "W1 (W1/1) and W2 (W2/1) both believed to hold orders from 115 to 988",
          fromMs: 115,
          toMs: 988,
        },
      ],
    });
  });

  test("S30: a dead lock that an extension revives overlaps its successor", () => {
    expect(
      verdictOf(
        ...hold("W1/1", { at: 5, deadline: 988 }),
        ...extended("W1/1", { at: 960, granted: 1024, deadline: 1948 }),
        ...hold("W2/1", { at: 1015, nodes: "CDE" }),
      ),
    ).toMatchObject({ kind: "invalid", evidence: [{ fromMs: 1024, toMs: 1948 }] });
  });

  test("two holds of one worker are two holds", () => {
    expect(verdictOf(...hold("W1/1", { at: 5 }), ...hold("W1/2", { at: 500 }))).toMatchObject({
      kind: "invalid",
    });
  });

  test("holds of different resources do not meet", () => {
    expect(verdictOf(...hold("W1/1", { at: 5 }), ...hold("W2/1", { at: 500, resource: "stock" }))).toEqual({
      kind: "valid",
    });
  });

  test("the order of the run decides a tie only where stamps are exact", () => {
    const tied: At[] = [...hold("W2/1", { at: 100 }), ...hold("W1/1", { at: 5, release: 100 })];

    expect(checkDeclaredOverlap(historyOf(tied))).toMatchObject({ kind: "invalid" });
    expect(checkDeclaredOverlap(historyOf(tied, { nodeStampUncertaintyMs: 3 }))).toEqual({ kind: "valid" });
  });
});

/** Holds in turn: for each the idle time before it and its length. */
const turns = fc.array(fc.tuple(fc.integer({ min: 6, max: 40 }), fc.integer({ min: 2, max: 40 })), {
  minLength: 2,
  maxLength: 12,
});

function holdsInTurn(drawn: readonly (readonly [number, number])[]) {
  let atMs = 0;
  return drawn.map(([idleMs, lengthMs], index) => {
    const at = atMs + idleMs;
    atMs = at + lengthMs;
    return { id: `W${(index % 3) + 1}/${index + 1}`, at, release: atMs };
  });
}

property.prop([turns])("holds in turn are valid, however many", (drawn) => {
  const events = holdsInTurn(drawn).flatMap(({ id, ...story }) => hold(id, story));

  expect(verdictOf(...events)).toEqual({ kind: "valid" });
});

property.prop([turns, fc.nat(), fc.nat()])(
  "a hold that is moved into another is invalid",
  (drawn, which, into) => {
    const holds = holdsInTurn(drawn);
    const victim = which % (holds.length - 1);
    const moved = holds.map((each, index) => {
      const previous = holds[victim];
      if (index !== victim + 1 || previous === undefined) return each;
      const at = previous.at + (into % (previous.release - previous.at));
      return { ...each, at, release: Math.max(at + 1, each.release) };
    });

    expect(verdictOf(...moved.flatMap(({ id, ...story }) => hold(id, story)))).toMatchObject({
      kind: "invalid",
    });
  },
);
