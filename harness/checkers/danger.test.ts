import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import {
  type At,
  applied,
  down,
  historyOf,
  hold,
  keyDeleted,
  keySet,
  settled,
  up,
} from "../history/history.fixture.ts";
import type { HistoryHeader } from "../history/history.ts";
import { holdsOf } from "../history/holds.ts";
import { keyLives } from "../history/key-lives.ts";
import { nodeOutages } from "../history/outages.ts";
import { checkDanger } from "./danger.ts";

const verdictOf = (events: readonly At[], header: Partial<HistoryHeader> = {}) =>
  checkDanger(historyOf([...events, ...settled(5000)], header));
const jumpC = (atMs: number, byMs: number): At => [atMs, { kind: "clock-jumped", node: "C", byMs }];
const W1 = hold("W1/1", { at: 5, deadline: 988 });

describe("checkDanger", () => {
  test("without a hold nothing can be said", () => {
    expect(verdictOf([])).toEqual({ kind: "unknown", reason: "no worker ever held a resource" });
  });

  test("of nodes that nobody watched nothing can be said", () => {
    const unwatched = W1.filter(([, { kind }]) => kind !== "key-set");

    expect(verdictOf(unwatched)).toEqual({ kind: "unknown", reason: "nothing of the nodes was recorded" });
  });

  test("a bare quorum is a normal state, with a node down for the rest as well", () => {
    expect(verdictOf(W1)).toEqual({ kind: "valid" });
    expect(verdictOf([...W1, down(50, "D")])).toEqual({ kind: "valid" });
  });

  test("S01: after the deadline nobody believes, so nothing is in danger", () => {
    expect(verdictOf([applied(10, "pause-w1", "", ["W1"]), ...W1])).toEqual({ kind: "valid" });
  });

  test("S07: a clock that jumps on the shared node", () => {
    expect(verdictOf([...W1, jumpC(100, 2000)])).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence:
            "W1 (W1/1) believed to hold orders until 988; from 100 to 988 a rival could have won it: C forgot the " +
            "key at 100 because its clock jumped by 2000 ms; D never had the key; E never had the key; only A and B " +
            "stood in the way",
          fromMs: 100,
          toMs: 988,
        },
      ],
    });
  });

  test("S07 with a quorum of 4 outlives one node that forgets", () => {
    const held = hold("W1/1", { at: 5, deadline: 988, nodes: "ABCD" });

    expect(verdictOf([...held, jumpC(100, 2000)], { quorum: 4 })).toEqual({ kind: "valid" });
  });

  test("S14: a node that is down blocks, and is a danger when it comes back empty", () => {
    expect(verdictOf([...W1, down(50, "C"), up(120, "C")])).toMatchObject({
      kind: "invalid",
      evidence: [
        {
          sentence: expect.stringContaining(
            "C was killed at 50 with the key and came back without it at 120",
          ) as string,
          fromMs: 120,
          toMs: 988,
        },
      ],
    });
  });

  test("S16: a node that stays away until the key would have expired is no danger", () => {
    expect(verdictOf([...W1, down(50, "C"), up(1062, "C")])).toEqual({ kind: "valid" });
  });

  test("S15 with every write synced: the key that is found again blocks", () => {
    const found = keySet(120, "C", "W1/1", { ttlMs: 882, cause: "recovered" });

    expect(verdictOf([...W1, down(50, "C", "power-loss"), up(120, "C"), found])).toEqual({ kind: "valid" });
  });

  test("a node that is stalled for ever blocks, one that wakes up does not", () => {
    const stall: At = [50, { kind: "node-stalled", node: "D" }];
    const gone = [...W1, keyDeleted(100, "C", "W1/1", { claim: null }), stall];

    expect(verdictOf(gone)).toEqual({ kind: "valid" });
    expect(verdictOf([...gone, [200, { kind: "node-resumed", node: "D" }]])).toMatchObject({
      kind: "invalid",
    });
  });

  test("a danger ends when the key is back, and each is told", () => {
    const back = keySet(300, "D", "W1/1");

    expect(verdictOf([...W1, jumpC(100, 2000), back, keyDeleted(400, "D", "W1/1")])).toMatchObject({
      evidence: [
        { fromMs: 100, toMs: 300 },
        { fromMs: 400, toMs: 988 },
      ],
    });
  });

  test("one danger may grow on its way, and nobody may stand in it", () => {
    const events = [...W1, jumpC(100, 2000), ...["A", "B"].map((node) => keyDeleted(100, node, "W1/1"))];

    expect(verdictOf([...events, down(200, "E")])).toMatchObject({
      evidence: [
        {
          sentence: expect.stringContaining("; nobody stood in the way") as string,
          fromMs: 100,
          toMs: 988,
        },
      ],
    });
  });

  test("a danger that is no longer than stamps are uncertain is no proof", () => {
    const short = hold("W1/1", { at: 5, deadline: 988, release: 105 });

    expect(verdictOf([...short, jumpC(100, 2000)], { nodeStampUncertaintyMs: 5 })).toEqual({
      kind: "unknown",
      reason:
        "W1 (W1/1) may have been in danger from 100 to 105, which is within the uncertainty of the nodes' stamps",
    });
    expect(verdictOf([...short, jumpC(100, 2000)])).toMatchObject({ kind: "invalid" });
  });
});

/** One fault at a time of its own, on a drawn node. */
const fault = fc.record({
  what: fc.constantFrom("jump", "restart", "down", "stall", "delete"),
  node: fc.constantFrom("A", "B", "C", "D", "E"),
  atMs: fc.integer({ min: 10, max: 180 }),
  lengthMs: fc.integer({ min: 0, max: 60 }),
});

function eventsOf({
  what,
  node,
  atMs,
  lengthMs,
}: typeof fault extends fc.Arbitrary<infer V> ? V : never): readonly At[] {
  switch (what) {
    case "jump":
      return [[atMs, { kind: "clock-jumped", node, byMs: lengthMs * 3 }]];
    case "restart":
      return [down(atMs, node), up(atMs + lengthMs, node)];
    case "down":
      return [down(atMs, node)];
    case "stall":
      return [[atMs, { kind: "node-stalled", node }]];
    default:
      return [keyDeleted(atMs, node, "W1/1")];
  }
}

property.prop([fc.array(fault, { maxLength: 8 }), fc.integer({ min: 1, max: 2 })])(
  "checkDanger agrees with looking at every millisecond",
  (faults, quorumAboveHalf) => {
    const held = hold("W1/1", { at: 5, deadline: 190, nodes: "ABCD", ttlMs: 200 });
    const history = historyOf([...held, ...faults.flatMap(eventsOf), [400, { kind: "run-ended" }]], {
      quorum: 2 + quorumAboveHalf,
    });
    const lives = keyLives(history).filter(({ value }) => value === "v-W1/1");
    const outages = nodeOutages(history).filter(({ kind, toMs }) => kind !== "stalled" || toMs === Infinity);
    const blocks = (node: string, atMs: number) =>
      [...lives, ...outages].some((span) => span.node === node && span.fromMs <= atMs && atMs < span.toMs);
    const isDangerous = (atMs: number) =>
      history.header.nodes.filter((node) => blocks(node, atMs)).length <= 5 - history.header.quorum;
    const believed = holdsOf(history)[0]?.declared[0];
    const times = Array.from({ length: 400 }, (_, atMs) => atMs).filter(
      (atMs) => believed !== undefined && believed.from.atMs <= atMs && atMs < believed.to.atMs,
    );
    const verdict = checkDanger(history);
    const found = verdict.kind === "invalid" ? verdict.evidence : [];

    expect(times.filter((atMs) => found.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs))).toEqual(
      times.filter(isDangerous),
    );
  },
);
