import { describe, expect, test } from "vitest";
import { type At, failedAcquire, historyOf, hold, released, section, settled } from "./history.fixture.ts";
import type { History } from "./history.ts";
import { findMalformation } from "./malformation.ts";

const WHOLE = historyOf([
  ...hold("W1/1", { at: 5, release: 100 }),
  ...section("W1/1", 6, 99),
  ...settled(500),
]);

const problemOf = (history: History) => findMalformation(history)?.problem;
const problemAfter = (...more: readonly At[]) =>
  problemOf(historyOf([...hold("W1/1", { at: 5, release: 100 }), ...more]));

describe("findMalformation", () => {
  test("finds nothing in a whole history, nor in an empty one", () => {
    expect(findMalformation(WHOLE)).toBeUndefined();
    expect(findMalformation(historyOf([]))).toBeUndefined();
  });

  test("says which event is out of order", () => {
    const [first, second, ...others] = WHOLE.events;
    if (first === undefined || second === undefined) throw new Error("too short");

    expect(findMalformation({ ...WHOLE, events: [first, ...others] })).toEqual({
      index: 1,
      problem: "seq is 2 where 1 was due",
    });
    expect(problemOf({ ...WHOLE, events: [first, { ...second, atMs: -1 }] })).toBe(
      "atMs goes back from 0 to -1",
    );
    expect(problemOf({ ...WHOLE, events: [{ ...first, atMs: Number.NaN }] })).toBe("atMs is NaN");
  });

  test("knows the nodes and workers of the header", () => {
    expect(problemAfter([200, { kind: "node-up", node: "Z" }])).toBe("node Z is not in the header");
    expect(problemAfter([200, { kind: "worker-paused", worker: "W9" }])).toBe(
      "worker W9 is not in the header",
    );
    expect(problemAfter([200, { kind: "fault-applied", fault: "f", nodes: ["A"], workers: ["W9"] }])).toBe(
      "worker W9 is not in the header",
    );
    expect(problemAfter([200, { kind: "fault-applied", fault: "f", nodes: ["Z"], workers: [] }])).toBe(
      "node Z is not in the header",
    );
  });

  test("misses the grant of a hold", () => {
    expect(problemAfter(...section("W2/1", 200, 210))).toBe("hold W2/1 was never granted");
  });

  test("refuses a hold that is granted twice", () => {
    const [invoked, ...granted] = hold("W1/1", { at: 205 });

    expect(
      problemAfter(
        [
          200,
          { kind: "acquire-invoked", worker: "W1", call: "W1#2", resource: "orders", ttlMs: 1, waitMs: 0 },
        ],
        ...granted.map(
          ([atMs, body]): At => [atMs, body.kind === "acquire-granted" ? { ...body, call: "W1#2" } : body],
        ),
      ),
    ).toBe("hold W1/1 was granted twice");
    expect(invoked?.[1].kind).toBe("acquire-invoked");
  });

  test("misses the invocation of a call, and refuses a second one", () => {
    const [invoked, failed] = failedAcquire("W2#1", { at: 200, returned: 210 });
    if (invoked === undefined || failed === undefined) throw new Error("too short");

    expect(problemAfter(failed)).toBe("call W2#1 returned as acquire but was not invoked as one");
    expect(problemAfter(invoked, invoked)).toBe("call W2#1 was invoked twice");
    expect(problemAfter(invoked, failed, failed)).toBe("call W2#1 returned twice");
  });

  test("keeps the kinds of calls apart", () => {
    const [, returned] = released("W1/1", 200);
    const extend: At = [
      200,
      { kind: "extend-invoked", worker: "W1", call: "W1/1#other", hold: "W1/1", ttlMs: 1000 },
    ];
    if (returned?.[1].kind !== "release-returned") throw new Error("no return");

    expect(problemAfter(extend, [204, { ...returned[1], call: "W1/1#other" }])).toBe(
      "call W1/1#other returned as release but was not invoked as one",
    );
  });
});
