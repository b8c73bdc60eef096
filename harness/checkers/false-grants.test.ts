import { describe, expect, test } from "vitest";
import { type At, historyOf, hold, settled } from "../history/history.fixture.ts";
import { checkDeclaredOverlap } from "./declared-overlap.ts";

const verdictOf = (...events: readonly At[]) =>
  checkDeclaredOverlap(historyOf([...events, ...settled(5000)]));

describe("a grant that is none", () => {
  test("rule 5: a quorum of those that answer is no quorum", () => {
    expect(verdictOf(...hold("W1/1", { at: 5, nodes: "DE" }))).toMatchObject({
      kind: "invalid",
      evidence: [{ sentence: "W1 (W1/1) was granted by D and E only at 5; the quorum is 3", fromMs: 5 }],
    });
  });

  test("it stands beside an overlap", () => {
    const both = verdictOf(
      ...hold("W1/1", { at: 5, nodes: "AB" }),
      ...hold("W2/1", { at: 10, nodes: "CDE" }),
    );
    expect(both.kind === "invalid" && both.evidence.map(({ sentence }) => sentence)).toEqual([
      "W1 (W1/1) and W2 (W2/1) both believed to hold orders from 10 to 988",
      "W1 (W1/1) was granted by A and B only at 5; the quorum is 3",
    ]);
  });

  test("an extension needs its quorum too", () => {
    const extension: At = [
      500,
      { kind: "extend-granted", worker: "W1", call: "W1#9", hold: "W1/1", deadlineMs: 1488, votes: [] },
    ];
    expect(verdictOf(...hold("W1/1", { at: 5 }), extension)).toMatchObject({
      kind: "invalid",
      evidence: [{ sentence: "W1 (W1/1) was extended by no node at 500; the quorum is 3" }],
    });
  });

  test.each([
    [500, "invalid"],
    [0, "valid"],
  ])("an acquire that returns past its deadline and claims %i ms more is %s", (remainingMs, kind) => {
    const events = hold("W1/1", { at: 1200, deadline: 988 }).map(
      ([atMs, body]): At => [atMs, body.kind === "acquire-granted" ? { ...body, remainingMs } : body],
    );
    expect(verdictOf(...events).kind).toBe(kind);
  });

  test.each([
    [988, "invalid"],
    [987, "valid"],
  ])("a late return whose quorum was complete after %i ms is %s", (roundTripMs, kind) => {
    const events = hold("W1/1", { at: 1200, deadline: 988 }).map(
      ([atMs, body]): At => [atMs, withRoundTrip(body, roundTripMs)],
    );
    expect(verdictOf(...events).kind).toBe(kind);
  });

  test("a late return without any quorum is told once", () => {
    const verdict = verdictOf(...hold("W1/1", { at: 1200, deadline: 988, nodes: "A" }));
    expect(verdict.kind === "invalid" && verdict.evidence).toHaveLength(1);
  });

  test("a quorum that was complete too late is told with its time", () => {
    const events = hold("W1/1", { at: 1200, deadline: 988 }).map(
      ([atMs, body]): At => [atMs, withRoundTrip(body, 1100)],
    );
    expect(verdictOf(...events)).toMatchObject({
      evidence: [
        {
          sentence:
            "W1 (W1/1) was granted by votes of which the quorum was complete 1100 ms after it had asked; " +
            "a lock lives for 988 ms at most",
        },
      ],
    });
  });
});

/** The grant with votes that took so long, and no claim to any time. */
function withRoundTrip(body: At[1], roundTripMs: number): At[1] {
  if (body.kind !== "acquire-granted") return body;
  return { ...body, remainingMs: 0, votes: body.votes.map((vote) => ({ ...vote, roundTripMs })) };
}
