import { describe, expect, test } from "vitest";
import { type At, extended, historyOf, hold, settled } from "../history/history.fixture.ts";
import { checkDeclaredOverlap } from "./declared-overlap.ts";

const FIRST = hold("W1/1", { at: 5, deadline: 100 });
const verdictOf = (...events: readonly At[]) =>
  checkDeclaredOverlap(historyOf([...FIRST, ...events, ...settled(5000)]));

/** Invoked at 90; all its votes took so long. */
function extension(granted: number, roundTripMs: number, nth = 1): readonly At[] {
  return extended("W1/1", { at: 90, granted, deadline: granted + 900, nth }).map(([atMs, body]): At => {
    if (body.kind !== "extend-granted") return [atMs, body];
    return [atMs, { ...body, votes: body.votes.map((vote) => ({ ...vote, roundTripMs })) }];
  });
}

describe("an extension that is none", () => {
  test.each([
    [99, 9, "valid"],
    [150, 9, "valid"],
    [150, 10, "invalid"],
    [150, 60, "invalid"],
  ])(
    "of a lock until 100, asked at 90, back at %i, decided after %i ms: %s",
    (granted, roundTripMs, kind) => {
      expect(verdictOf(...extension(granted, roundTripMs)).kind).toBe(kind);
    },
  );

  test("says when the quorum was complete, and when the lock had ended", () => {
    expect(verdictOf(...extension(150, 20))).toMatchObject({
      evidence: [
        {
          sentence:
            "W1 (W1/1) was extended at 150 by a quorum that was not complete before 110, when its lock had ended at 100",
          fromMs: 100,
          toMs: 150,
        },
      ],
    });
  });

  test("what an earlier extension had brought counts", () => {
    const earlier = extended("W1/1", { at: 20, granted: 25, deadline: 920, nth: 2 });

    expect(verdictOf(...earlier, ...extension(150, 50)).kind).toBe("valid");
  });

  test("what another brought meanwhile counts as well", () => {
    const meanwhile = extended("W1/1", { at: 85, granted: 95, deadline: 985, nth: 2 });

    expect(verdictOf(...meanwhile, ...extension(150, 50)).kind).toBe("valid");
  });

  test("votes of those that refused are none, and too few are told of as such", () => {
    const refused = extension(150, 60).map(([atMs, body]): At => {
      if (body.kind !== "extend-granted") return [atMs, body];
      const { node = "" } = body.votes[0] ?? {};
      const vote = { node, kind: "refused", reason: "missing", roundTripMs: 60 } as const;
      return [atMs, { ...body, votes: [vote, ...body.votes.slice(1)] }];
    });

    expect(verdictOf(...refused)).toMatchObject({
      evidence: [{ sentence: "W1 (W1/1) was extended by B and C only at 150; the quorum is 3" }],
    });
  });

  test("on a clock that was disturbed round trips prove nothing", () => {
    const moved: At = [50, { kind: "deadline-moved", worker: "W1", hold: "W1/1", deadlineMs: 95 }];

    expect(verdictOf(moved, ...extension(150, 20)).kind).toBe("valid");
  });
});
