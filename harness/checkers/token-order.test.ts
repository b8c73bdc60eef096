import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { type At, historyOf, hold, type HoldStory } from "../history/history.fixture.ts";
import { holdsOf } from "../history/holds.ts";
import { isBefore } from "../history/moment.ts";
import { checkTokenOrder, findFallingTokens, findRepeatedTokens, type TokenHold } from "./token-order.ts";

const VALID = { kind: "valid" };
const verdictOf = (...events: readonly At[]) => checkTokenOrder(historyOf(events));
const first = (token: string, story: Partial<HoldStory> = {}) =>
  hold("W1/1", { at: 10, release: 100, fencingToken: token, ...story });
const second = (token: string, story: Partial<HoldStory> = {}) =>
  hold("W2/1", { at: 200, release: 300, fencingToken: token, ...story });

describe("checkTokenOrder", () => {
  test("tokens that grow are valid, by number and not by digits", () => {
    expect(verdictOf(...first("9"), ...second("10"))).toEqual(VALID);
    expect(verdictOf(...first("99999999999999999999"), ...second("100000000000000000000"))).toEqual(VALID);
  });

  test("where nobody had a token there is nothing to compare", () => {
    expect(verdictOf()).toEqual(VALID);
    expect(verdictOf(...hold("W1/1", { at: 5, release: 9 }), ...second("1"))).toEqual(VALID);
  });

  test("S39: a later belief with a lower token", () => {
    expect(verdictOf(...first("10"), ...second("9"))).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence:
            "W2 (W2/1) was granted orders at 200 with token 9, although W1 (W1/1) had had 10 until 100",
          fromMs: 10,
          toMs: 200,
        },
      ],
    });
  });

  test("S38: one token twice, whether the beliefs overlap or not", () => {
    expect(verdictOf(...first("34"), ...second("34"))).toMatchObject({
      evidence: [
        {
          sentence: "W1 (W1/1), granted orders at 10, and W2 (W2/1), granted it at 200, have one token, 34",
        },
      ],
    });
    expect(verdictOf(...first("34"), ...second("34", { at: 50 }))).toMatchObject({ kind: "invalid" });
  });

  test("beliefs that overlap have no order, nor has who never believed", () => {
    expect(verdictOf(...first("10"), ...second("9", { at: 50 }))).toEqual(VALID);
    expect(verdictOf(...first("10"), ...second("9", { deadline: 150 }))).toEqual(VALID);
    expect(verdictOf(...first("10", { at: 60, deadline: 40 }), ...second("9"))).toEqual(VALID);
  });

  test("resources have counters of their own", () => {
    expect(verdictOf(...first("10"), ...second("9", { resource: "bills" }))).toEqual(VALID);
  });
});

const drawnHolds = fc.array(fc.record({ at: fc.nat(30), forMs: fc.nat(10), token: fc.nat(8) }), {
  maxLength: 12,
});

function tokenHolds(drawn: readonly { at: number; forMs: number; token: number }[]): readonly TokenHold[] {
  const events = drawn.flatMap(({ at, forMs }, index) => hold(`W${index}/1`, { at, deadline: at + forMs }));
  const tokens = new Map(drawn.map(({ token }, index) => [`W${index}/1`, BigInt(token)]));
  return holdsOf(historyOf(events)).flatMap((each) => {
    const [span] = each.declared;
    const token = tokens.get(each.id) ?? 0n;
    return span === undefined ? [] : [{ hold: each, token, ...span }];
  });
}

property.prop([drawnHolds])("finds the same holds as comparing each with each", (drawn) => {
  const holds = tokenHolds(drawn);
  const falling = holds.filter((later) =>
    holds.some((earlier) => !isBefore(later.from, earlier.to) && earlier.token > later.token),
  );
  const repeated = holds.filter(
    (later, place) => holds.findIndex(({ token }) => token === later.token) < place,
  );

  expect(new Set(findFallingTokens(holds).map(({ later }) => later))).toEqual(new Set(falling));
  expect(findRepeatedTokens(holds).map(({ later }) => later)).toEqual(repeated);
});
