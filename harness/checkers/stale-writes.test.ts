import { describe, expect, test } from "vitest";
import { type At, historyOf, hold, judged } from "../history/history.fixture.ts";
import { checkStaleWrites } from "./stale-writes.ts";

const verdictOf = (...events: readonly At[]) => checkStaleWrites(historyOf(events));
const TWO_HOLDS = [...hold("W1/1", { at: 5, deadline: 988 }), ...hold("W2/1", { at: 1105, deadline: 2088 })];
const FENCED = [
  ...hold("W1/1", { at: 5, fencingToken: "99" }),
  ...hold("W2/1", { at: 1105, fencingToken: "100" }),
  ...hold("W3/1", { at: 2105, fencingToken: "100" }),
];

describe("checkStaleWrites", () => {
  test("a resource that nobody wrote to accepted nothing stale", () => {
    expect(verdictOf(...TWO_HOLDS)).toEqual({ kind: "valid" });
  });

  test("writes that the resource never judged tell nothing", () => {
    expect(
      verdictOf(...TWO_HOLDS, [10, { kind: "write-invoked", worker: "W1", hold: "W1/1", write: "W1/1.1" }]),
    ).toEqual({ kind: "unknown", reason: "writes were sent and none was judged by the resource" });
  });

  test("writes in the order of their holds are valid", () => {
    expect(
      verdictOf(
        ...TWO_HOLDS,
        judged(50, "W1/1"),
        judged(60, "W1/1"),
        judged(1150, "W2/1"),
        judged(1160, "W2/1"),
      ),
    ).toEqual({ kind: "valid" });
  });

  test("S01: an older hold's write after a newer one's is stale", () => {
    expect(verdictOf(...TWO_HOLDS, judged(1150, "W2/1"), judged(3010, "W1/1"))).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence:
            "orders accepted a stale write of W1 (W1/1) at 3010: the resource had accepted one of the newer hold " +
            "W2 (W2/1) at 1150",
          fromMs: 1150,
          toMs: 3010,
        },
      ],
    });
  });

  test("the write of a hold that was granted in the instant before its worker's death still ranks", () => {
    expect(
      verdictOf(
        ...hold("W1/1", { at: 5, deadline: 988 }),
        [1100, { kind: "worker-killed", worker: "W2" }],
        ...hold("W2/1", { at: 1101, deadline: 2088 }),
        judged(1102, "W2/1"),
        judged(1200, "W1/1"),
      ).kind,
    ).toBe("invalid");
  });

  test("a stale write leaves the newest what it was", () => {
    expect(
      verdictOf(...TWO_HOLDS, judged(1150, "W2/1"), judged(3010, "W1/1"), judged(3020, "W1/1")),
    ).toMatchObject({ evidence: [{ toMs: 3010 }, { toMs: 3020 }] });
  });

  test("S40: what the resource refuses is not stale", () => {
    expect(verdictOf(...TWO_HOLDS, judged(1150, "W2/1"), judged(3010, "W1/1", { accepted: false }))).toEqual({
      kind: "valid",
    });
  });

  test("S03: who returned after its own deadline stays the older one", () => {
    expect(
      verdictOf(
        ...hold("W1/1", { at: 1400, deadline: 988 }),
        ...hold("W2/1", { at: 1010 }),
        judged(1020, "W2/1"),
        judged(1405, "W1/1"),
      ),
    ).toMatchObject({ kind: "invalid" });
  });

  test("resources are judged apart", () => {
    expect(
      verdictOf(...TWO_HOLDS, judged(1150, "W2/1"), judged(3010, "W1/1", { resource: "stock" })),
    ).toEqual({ kind: "valid" });
  });

  test("a write of a hold that is not in the history is passed over", () => {
    expect(verdictOf(judged(50, "W1/1"))).toEqual({ kind: "valid" });
  });
});

describe("checkStaleWrites: fencing tokens", () => {
  test("tokens grow by their number, not by their text", () => {
    expect(
      verdictOf(
        ...FENCED,
        judged(50, "W1/1", { fencingToken: "99" }),
        judged(1150, "W2/1", { fencingToken: "100" }),
      ),
    ).toEqual({ kind: "valid" });
  });

  test("a token that goes back is stale", () => {
    expect(
      verdictOf(
        ...FENCED,
        judged(50, "W1/1", { fencingToken: "101" }),
        judged(1150, "W2/1", { fencingToken: "100" }),
      ),
    ).toMatchObject({
      evidence: [
        {
          sentence:
            "orders accepted a stale write of W2 (W2/1) at 1150: it showed token 100, older than that of " +
            "W1 (W1/1) at 50",
        },
      ],
    });
  });

  test("S38: two holds with one token are stale", () => {
    expect(
      verdictOf(
        ...FENCED,
        judged(1150, "W2/1", { fencingToken: "100" }),
        judged(2150, "W3/1", { fencingToken: "100" }),
      ),
    ).toMatchObject({
      evidence: [{ sentence: expect.stringContaining("token 100, the same as that of W2 (W2/1)") as string }],
    });
  });

  test("a hold may show its token again, and a write without one proves nothing", () => {
    expect(
      verdictOf(
        ...FENCED,
        judged(40, "W1/1"),
        judged(50, "W1/1", { fencingToken: "99" }),
        judged(60, "W1/1", { fencingToken: "99" }),
        judged(1150, "W2/1"),
      ),
    ).toEqual({ kind: "valid" });
  });
});

describe("checkStaleWrites: reads", () => {
  const read = (atMs: number, hold: string, fencingToken?: string): At => [
    atMs,
    {
      ...{
        kind: "read-judged",
        resource: "orders",
        worker: hold.slice(0, 2),
        hold,
        accepted: true,
        saw: null,
      },
      ...(fencingToken === undefined ? {} : { fencingToken }),
    },
  ];

  test("a write of an older hold than one that has read with its token is stale", () => {
    expect(verdictOf(...FENCED, read(1150, "W2/1", "100"), judged(1200, "W1/1"))).toMatchObject({
      evidence: [
        {
          sentence:
            "orders accepted a stale write of W1 (W1/1) at 1200: the resource had been read by the newer hold " +
            "W2 (W2/1) at 1150",
        },
      ],
    });
  });

  test("a read without a token is nobody's, and reading late is no write", () => {
    expect(verdictOf(...FENCED, read(1150, "W2/1"), judged(1200, "W1/1"))).toEqual({ kind: "valid" });
    expect(verdictOf(...FENCED, judged(1150, "W2/1"), read(1200, "W1/1", "99"))).toEqual({ kind: "valid" });
  });
});
