import { describe, expect, test } from "vitest";
import { historyOf, hold } from "../history/history.fixture.ts";
import { holdsOf } from "../history/holds.ts";
import type { KeyLife, LifeEnd } from "../history/key-life.ts";
import { explainLostSupport } from "./lost-support.ts";

const holds = holdsOf(historyOf([...hold("W1/1", { at: 5 }), ...hold("W2/1", { at: 105 })]));

function sentenceFor(lives: readonly KeyLife[], atMs = 200, backMs = 120): string {
  const [subject] = holds;
  if (subject === undefined) throw new Error("no hold");
  const outages = [{ node: "C", kind: "killed", fromMs: 50, toMs: backMs, seqs: [] }] as const;
  return explainLostSupport({ node: "C", hold: subject, atMs }, { lives, outages, holds }).sentence;
}

const life = (end: LifeEnd, toMs = 100): KeyLife => ({
  node: "C",
  resource: "orders",
  value: "v-W1/1",
  fromMs: 2,
  toMs,
  end,
  seqs: [1],
});

describe("explainLostSupport", () => {
  test.each<readonly [LifeEnd, string]>([
    [{ kind: "expired" }, "the key on C expired at 100"],
    [{ kind: "still-there" }, "the key on C expired at 100"],
    [{ kind: "expired-by-jump", byMs: 2000 }, "C forgot the key at 100 because its clock jumped by 2000 ms"],
    [
      { kind: "expired-by-rate", rate: 1.05 },
      "C forgot the key at 100 because its clock ran at 1.05 times the true rate",
    ],
    [{ kind: "flushed" }, "C forgot the key at 100 because it was flushed"],
    [{ kind: "evicted" }, "C forgot the key at 100 because it evicted the key"],
    [
      { kind: "deleted", claimedValue: undefined },
      "the key on C was deleted at 100 by a command that compared nothing",
    ],
    [
      { kind: "deleted", claimedValue: "v-W1/1" },
      "the key on C was deleted at 100 by a command in its own name",
    ],
    [{ kind: "deleted", claimedValue: "v-W2/1" }, "the key on C was deleted at 100 in the name of W2 (W2/1)"],
    [
      { kind: "overwritten", byValue: "other", remainingMs: 900 },
      "the key on C was overwritten at 100 in the name of value other",
    ],
    [{ kind: "node-down", cause: "killed" }, "C was killed at 100 with the key"],
  ])("%j", (end, sentence) => {
    expect(sentenceFor([life(end)])).toBe(sentence);
  });

  test("a node that came back empty", () => {
    expect(sentenceFor([life({ kind: "node-down", cause: "power-loss" }, 50)])).toBe(
      "C lost power at 50 with the key and came back without it at 120",
    );
  });

  test("a node that another took the place of in the same instant", () => {
    expect(sentenceFor([life({ kind: "node-down", cause: "killed" }, 50)], 200, 50)).toBe(
      "another server took the place of C at 50, without the key",
    );
  });

  test("a node that never had the key, or only later", () => {
    expect(sentenceFor([])).toBe("C never had the key");
    expect(sentenceFor([{ ...life({ kind: "expired" }, 500), fromMs: 300 }])).toBe(
      "C got the key only at 300",
    );
  });

  test("the last life counts", () => {
    expect(
      sentenceFor([
        life({ kind: "flushed" }, 50),
        life({ kind: "evicted" }, 80),
        life({ kind: "expired" }, 900),
      ]),
    ).toBe("C forgot the key at 80 because it evicted the key");
  });
});
