import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { HistoryEvent } from "./event.ts";
import type { EVENT_SCHEMA, HEADER_SCHEMA } from "./event-schema.ts";
import {
  type At,
  applied,
  down,
  extended,
  failedAcquire,
  HEADER,
  healed,
  historyOf,
  hold,
  judged,
  keyFound,
  keySet,
  section,
  settled,
  up,
} from "./history.fixture.ts";
import type { HistoryHeader } from "./history.ts";
import { formatHistory, parseHistory } from "./jsonl.ts";

/** Compiles only where the schemas know every kind and field that the types know. */
export const takesEveryEvent = (event: HistoryEvent): z.infer<typeof EVENT_SCHEMA> => event;
export const takesEveryHeader = (header: HistoryHeader): z.infer<typeof HEADER_SCHEMA> => header;

const W1 = { worker: "W1", hold: "W1/1" };

/** One of each kind of event. */
const ALL_KINDS: readonly At[] = [
  [0, { kind: "worker-started", worker: "W1" }],
  ...hold("W1/1", { at: 5, release: 900, fencingToken: "33" }),
  ...extended("W1/1", { at: 100, granted: 104, deadline: 1088 }),
  [110, { kind: "extend-invoked", ...W1, call: "W1#x", ttlMs: 1000 }],
  [
    114,
    {
      kind: "extend-failed",
      ...W1,
      call: "W1#x",
      code: "lost",
      votes: [
        { node: "A", kind: "refused", reason: "missing", roundTripMs: 1.25 },
        { node: "B", kind: "unknown", cause: "closed" },
        { node: "C", kind: "unknown", cause: "late", roundTripMs: 3 },
      ],
    },
  ],
  [120, { kind: "belief-ended", ...W1, reason: "lost" }],
  ...section("W1/1", 6, 890),
  [130, { kind: "write-invoked", ...W1, write: "W1/1.1" }],
  judged(131, "W1/1", { fencingToken: "33" }),
  [132, { kind: "write-returned", ...W1, write: "W1/1.1", accepted: true }],
  [133, { kind: "write-skipped", ...W1 }],
  ...failedAcquire("W2#1", { at: 20, returned: 30, votes: "abc" }),
  [
    140,
    { kind: "key-raised", node: "A", resource: "orders", value: "v", claimedValue: "v", expiresInMs: 1000 },
  ],
  keySet(150, "D", "W3/1", { ttlMs: null, cause: "recovered" }),
  keyFound(1100, "D", "W3/1", null),
  down(160, "A"),
  up(170, "A"),
  [180, { kind: "node-stalled", node: "B" }],
  [190, { kind: "node-resumed", node: "B" }],
  [200, { kind: "clock-jumped", node: "B", byMs: -5000 }],
  [210, { kind: "clock-rate-set", node: "B", rate: 1.05 }],
  applied(220, "cut-w1", "DE", ["W1"]),
  healed(230, "cut-w1"),
  [240, { kind: "worker-paused", worker: "W2" }],
  [250, { kind: "worker-resumed", worker: "W2" }],
  [260, { kind: "worker-killed", worker: "W2" }],
  [1000, { kind: "worker-finished", worker: "W1" }],
  ...settled(1050),
];

const history = historyOf(ALL_KINDS);
const lines = formatHistory(history).split("\n");

function refusalOf(line: string, text: string) {
  const index = lines.indexOf(line);
  return parseHistory(lines.with(index, text).join("\n"));
}

function lineWith(part: string): string {
  const line = lines.find((candidate) => candidate.includes(part));
  if (line === undefined) throw new Error(`no line with ${part}`);
  return line;
}

describe("parseHistory", () => {
  test("reads back every kind of event", () => {
    expect(parseHistory(formatHistory(history))).toEqual({ kind: "parsed", history });
  });

  test("says which line is not JSON", () => {
    expect(parseHistory(`${JSON.stringify(HEADER)}\n{"kind":`)).toMatchObject({
      kind: "refused",
      line: 2,
      problem: expect.stringMatching(/^not JSON: /) as string,
    });
    expect(parseHistory("")).toMatchObject({ kind: "refused", line: 1 });
  });

  test("says what is wrong with a header", () => {
    expect(parseHistory(JSON.stringify({ ...HEADER, version: 2 }))).toMatchObject({
      line: 1,
      problem: expect.stringMatching(/^not a header: version: /) as string,
    });
  });

  test("refuses an unknown kind, and what has none", () => {
    const up120 = lineWith('"node-up"');

    expect(refusalOf(up120, up120.replace("node-up", "node-upside"))).toEqual({
      kind: "refused",
      line: lines.indexOf(up120) + 1,
      problem: 'unknown kind "node-upside"',
    });
    for (const text of ["7", "null", "{}", '{"kind":1}']) {
      expect(refusalOf(up120, text)).toMatchObject({ problem: "an event has a kind" });
    }
  });

  test("says which field is missing, wrong or unknown", () => {
    const downA = lineWith('"node-down"');

    expect(refusalOf(downA, downA.replace("killed", "bored"))).toMatchObject({
      problem: expect.stringMatching(/^node-down: cause: /) as string,
    });
    expect(refusalOf(downA, downA.replace('"node":"A",', ""))).toMatchObject({
      problem: expect.stringMatching(/^node-down: node: /) as string,
    });
    expect(refusalOf(downA, downA.replace("{", '{"extra":1,'))).toMatchObject({
      problem: expect.stringMatching(/^node-down: .*extra/) as string,
    });
  });

  test("refuses a history that is not whole", () => {
    expect(parseHistory(lines.toSpliced(3, 1).join("\n"))).toEqual({
      kind: "refused",
      line: 4,
      problem: "seq is 3 where 2 was due",
    });
  });
});

const texts = fc.string({ minLength: 1, unit: "grapheme" });
const stamps = fc.double({ min: 0, max: 1e6, noNaN: true, noDefaultInfinity: true }).map(Math.abs);

property.prop([texts, fc.array(fc.tuple(stamps, texts, fc.option(stamps)), { maxLength: 20 })])(
  "a history survives being written and read",
  (resource, keys) => {
    const drawn = historyOf(
      keys.map(
        ([atMs, value, expiresInMs]): At => [
          atMs,
          { kind: "key-set", node: "A", resource, value, expiresInMs, cause: "command" },
        ],
      ),
      { seed: resource },
    );

    expect(parseHistory(formatHistory(drawn))).toEqual({ kind: "parsed", history: drawn });
  },
);
