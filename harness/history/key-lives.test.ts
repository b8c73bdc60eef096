import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import {
  type At,
  down,
  historyOf,
  hold,
  keyDeleted,
  keySet,
  settled,
  up,
  votesOf,
} from "./history.fixture.ts";
import type { HistoryHeader } from "./history.ts";
import { keyLives } from "./key-lives.ts";

const END = settled(10_000);

function livesOf(events: readonly At[], header: Partial<HistoryHeader> = {}) {
  return keyLives(historyOf([...events, ...END], header)).map(({ node, value, fromMs, toMs, end }) => ({
    key: `${node}:${value}`,
    ms: [fromMs, toMs],
    end,
  }));
}

const jump = (atMs: number, byMs: number): At => [atMs, { kind: "clock-jumped", node: "A", byMs }];
const rate = (atMs: number, value: number): At => [atMs, { kind: "clock-rate-set", node: "A", rate: value }];
const raised = (atMs: number, expiresInMs: number): At => [
  atMs,
  { kind: "key-raised", node: "A", resource: "orders", value: "v-W1/1", claimedValue: "v-W1/1", expiresInMs },
];

/** W2's grant, with A's vote and without A's own word for it. */
function grantedByA(atMs: number): readonly At[] {
  return hold("W2/1", { at: atMs, nodes: "" }).map(([at, body]) => [
    at,
    body.kind === "acquire-granted" ? { ...body, votes: votesOf("A") } : body,
  ]);
}

describe("keyLives", () => {
  test("a key lives for its TTL", () => {
    expect(livesOf([keySet(2, "A", "W1/1")])).toEqual([
      { key: "A:v-W1/1", ms: [2, 1002], end: { kind: "expired" } },
    ]);
  });

  test("a clock that jumps past the expiry ends the life at the jump", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), jump(100, 2000)])).toEqual([
      { key: "A:v-W1/1", ms: [2, 100], end: { kind: "expired-by-jump", byMs: 2000 } },
    ]);
  });

  test("a smaller jump shortens the life, a jump backward lengthens it", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), jump(100, 400)])).toMatchObject([{ ms: [2, 602] }]);
    expect(livesOf([keySet(2, "A", "W1/1"), jump(100, -5000)])).toMatchObject([
      { ms: [2, 6002], end: { kind: "expired" } },
    ]);
  });

  test("a fast clock shortens the life, from the moment it runs fast", () => {
    expect(livesOf([rate(0, 2), keySet(2, "A", "W1/1")])).toMatchObject([
      { ms: [2, 502], end: { kind: "expired-by-rate", rate: 2 } },
    ]);
    expect(livesOf([keySet(2, "A", "W1/1"), rate(502, 2)])).toMatchObject([{ ms: [2, 752] }]);
  });

  test("a clock that stands still keeps the key", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), rate(500, 0)])).toMatchObject([{ end: { kind: "still-there" } }]);
  });

  test("an extension moves the end", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), raised(500, 1000)])).toMatchObject([{ ms: [2, 1500] }]);
  });

  test("an expiry that an extension has set anew is not blamed on an earlier jump or rate", () => {
    const jumped = [keySet(2, "A", "W1/1"), jump(100, 400), raised(500, 1000)];
    const fast = [rate(0, 2), keySet(2, "A", "W1/1"), rate(100, 1), raised(500, 1000)];

    expect(livesOf(jumped)).toMatchObject([{ ms: [2, 1500], end: { kind: "expired" } }]);
    expect(livesOf(fast)).toMatchObject([{ ms: [2, 1500], end: { kind: "expired" } }]);
  });

  test("an extension shows a life that nobody saw begin", () => {
    expect(livesOf([raised(500, 1000)])).toMatchObject([{ ms: [500, 1500] }]);
    expect(livesOf([keySet(2, "A", "W1/1"), raised(1010, 1000)])).toMatchObject([
      { ms: [2, 1002] },
      { ms: [1010, 2010] },
    ]);
  });

  test("an extension that is stamped a little late leaves no gap", () => {
    const events = [keySet(2, "A", "W1/1"), raised(1005, 1000)];

    expect(livesOf(events, { nodeStampUncertaintyMs: 5 })).toMatchObject([{ ms: [2, 2005] }]);
  });

  test("a key without expiry stays, and takes an expiry when it is set again", () => {
    expect(livesOf([keySet(2, "A", "W1/1", { ttlMs: null })])).toMatchObject([
      { end: { kind: "still-there" } },
    ]);
    expect(livesOf([keySet(2, "A", "W1/1", { ttlMs: null }), keySet(10, "A", "W1/1")])).toMatchObject([
      { ms: [2, 1010] },
    ]);
  });

  test("a delete ends the life and says what it claimed", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), keyDeleted(50, "A", "W1/1", { claim: "W2/1" })])).toMatchObject([
      { ms: [2, 50], end: { kind: "deleted", claimedValue: "v-W2/1" } },
    ]);
  });

  test("a delete of what is not there ends nothing", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), keyDeleted(50, "A", "W2/1")])).toMatchObject([{ ms: [2, 1002] }]);
  });

  test("flushing and eviction are told from commands", () => {
    const gone: At = [
      50,
      { kind: "key-deleted", node: "A", resource: "orders", value: "v-W1/1", cause: "evicted" },
    ];

    expect(livesOf([keySet(2, "A", "W1/1"), gone])).toMatchObject([{ end: { kind: "evicted" } }]);
  });

  test("setting another value overwrites", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), keySet(102, "A", "W2/1")])).toMatchObject([
      { ms: [2, 102], end: { kind: "overwritten", byValue: "v-W2/1", remainingMs: 900 } },
      { ms: [102, 1102] },
    ]);
  });

  test("a node that goes down and comes back without the key has forgotten it", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), down(50, "A", "power-loss"), up(120, "A")])).toMatchObject([
      { ms: [2, 50], end: { kind: "node-down", cause: "power-loss" } },
    ]);
  });

  test("a key that is found after the restart lives again, for what its own clock left it", () => {
    const events = [
      keySet(2, "A", "W1/1"),
      down(50, "A"),
      up(120, "A"),
      keySet(120, "A", "W1/1", { ttlMs: 882, cause: "recovered" }),
    ];

    expect(livesOf(events)).toMatchObject([{ ms: [2, 50] }, { ms: [120, 1002] }]);
  });

  test("a key that is found by a look some time after the restart was there from the start", () => {
    const found = keySet(131, "A", "W1/1", { ttlMs: 871, cause: "recovered" });

    expect(livesOf([keySet(2, "A", "W1/1"), down(50, "A"), up(120, "A"), found])[1]).toMatchObject({
      ms: [120, 1002],
    });
  });

  test("a key that is found before the restart is said to be over counts from then", () => {
    const found = keySet(118, "A", "W1/1", { ttlMs: 884, cause: "recovered" });

    expect(livesOf([keySet(2, "A", "W1/1"), down(50, "A"), up(120, "A"), found])[1]).toMatchObject({
      ms: [118, 1002],
    });
  });

  test("a key that was set before anybody looked after the restart counts from its owner's grant", () => {
    const found = keySet(131, "A", "W2/1", { ttlMs: 980, cause: "recovered" });
    const restarted = [keySet(2, "A", "W1/1"), down(50, "A"), up(120, "A"), found];

    expect(livesOf([...restarted, ...grantedByA(115)])[1]).toMatchObject({ ms: [115, 1111] });
    expect(livesOf([...restarted, ...grantedByA(45)])[1]).toMatchObject({ ms: [131, 1111] });
    expect(livesOf(restarted)[1]).toMatchObject({ ms: [131, 1111] });
  });

  test("what is stamped just after the node went down has gone with it", () => {
    const late = [down(50, "A"), keySet(51, "A", "W1/1"), raised(52, 1000), up(120, "A")];

    expect(livesOf(late, { nodeStampUncertaintyMs: 5 })).toEqual([]);
  });

  test("what is stamped long after the node went down shows that it is back", () => {
    expect(livesOf([down(50, "A"), keySet(110, "A", "W1/1"), up(120, "A")])).toMatchObject([
      { ms: [110, 1110] },
    ]);
  });

  test("a key that a worker knew of before its own stamp counts from the grant", () => {
    const late = grantedByA(5);

    expect(livesOf([...late, keySet(8, "A", "W2/1")], { nodeStampUncertaintyMs: 5 })).toMatchObject([
      { ms: [5, 1008] },
    ]);
    expect(livesOf([...late, keySet(8, "A", "W2/1")], { nodeStampUncertaintyMs: 2 })).toMatchObject([
      { ms: [8, 1008] },
    ]);
  });

  test("nodes have keys and clocks of their own", () => {
    expect(livesOf([keySet(2, "A", "W1/1"), keySet(2, "B", "W1/1"), jump(100, 2000)])).toMatchObject([
      { key: "A:v-W1/1", ms: [2, 100] },
      { key: "B:v-W1/1", ms: [2, 1002] },
    ]);
  });
});

/** One thing that happens to node A at a time of its own. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("jump" as const), byMs: fc.integer({ min: -30, max: 30 }) }),
  fc.record({ kind: fc.constant("rate" as const), rate: fc.constantFrom(0, 1, 2) }),
  fc.record({ kind: fc.constant("raise" as const), expiresInMs: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant("delete" as const) }),
  fc.record({ kind: fc.constant("restart" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const STEP_GAP_MS = 10;
const RUN_MS = 120;

function eventsOfStep(drawn: Step, atMs: number): readonly At[] {
  switch (drawn.kind) {
    case "jump":
      return [jump(atMs, drawn.byMs)];
    case "rate":
      return [rate(atMs, drawn.rate)];
    case "raise":
      return [raised(atMs, drawn.expiresInMs)];
    case "delete":
      return [keyDeleted(atMs, "A", "W1/1")];
    case "restart":
      return [down(atMs, "A"), up(atMs + 3, "A")];
  }
}

/** The same node, advanced one millisecond after the other: in which of them does the key live? */
function liveMsByStepping(steps: readonly Step[], ttlMs: number): readonly number[] {
  let wallMs = 0;
  let currentRate = 1;
  let expiresAtWallMs: number | undefined;
  const live: number[] = [];
  for (let nowMs = 0; nowMs < RUN_MS; nowMs += 1) {
    if (expiresAtWallMs !== undefined && wallMs >= expiresAtWallMs) expiresAtWallMs = undefined;
    if (nowMs === 2) expiresAtWallMs = wallMs + ttlMs;
    const drawn = nowMs % STEP_GAP_MS === 0 ? steps[nowMs / STEP_GAP_MS - 1] : undefined;
    if (drawn?.kind === "jump") wallMs += drawn.byMs;
    if (drawn?.kind === "rate") currentRate = drawn.rate;
    if (drawn?.kind === "raise") expiresAtWallMs = wallMs + drawn.expiresInMs;
    if (drawn?.kind === "delete" || drawn?.kind === "restart") expiresAtWallMs = undefined;
    if (expiresAtWallMs !== undefined && wallMs >= expiresAtWallMs) expiresAtWallMs = undefined;
    if (expiresAtWallMs !== undefined) live.push(nowMs);
    wallMs += currentRate;
  }
  return live;
}

property.prop([fc.array(step, { maxLength: 8 }), fc.integer({ min: 2, max: 80 }).map((half) => half * 2)])(
  "keyLives agrees with a node that is advanced millisecond by millisecond",
  (steps, ttlMs) => {
    const events = steps.flatMap((drawn, index) => eventsOfStep(drawn, (index + 1) * STEP_GAP_MS));
    const lives = keyLives(
      historyOf([keySet(2, "A", "W1/1", { ttlMs }), ...events, [RUN_MS, { kind: "run-ended" }]]),
    );
    const isLive = (atMs: number) => lives.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
    const live = Array.from({ length: RUN_MS }, (_, atMs) => atMs).filter(isLive);

    expect(live).toEqual(liveMsByStepping(steps, ttlMs));
  },
);
