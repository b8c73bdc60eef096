/** An outside judge: Porcupine and the checker `declared` agree on exported histories, good and bad. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulatedBackend } from "../../harness/backends/simulated/simulated-backend.ts";
import { checkDeclaredOverlap } from "../../harness/checkers/declared-overlap.ts";
import { type At, extended, historyOf, hold } from "../../harness/history/history.fixture.ts";
import type { History, HistoryHeader } from "../../harness/history/history.ts";
import { RandomStream } from "../../harness/random/random-stream.ts";
import { runLab } from "../../harness/runner/run-lab.ts";
import { SCENARIOS } from "../../scenarios/index.ts";
import { buildPorcupineJudge, type PorcupineJudge } from "./porcupine-judge.fixture.ts";

/** REDLOCK_LAB_SEED repeats a run. */
const FRESH_SEED = process.env["REDLOCK_LAB_SEED"] ?? String(Math.floor(Math.random() * 2 ** 32));
const DRAWN_COUNT = 2000;

let porcupine: PorcupineJudge;

beforeAll(() => {
  porcupine = buildPorcupineJudge();
}, 300_000);
afterAll(() => porcupine[Symbol.dispose]());

/** Grants that are none are also objected to by `declared`; to a mutex they are acquires like any other. */
function overlapIn(history: History): "legal" | "illegal" {
  const verdict = checkDeclaredOverlap(history);
  const evidence = verdict.kind === "invalid" ? verdict.evidence : [];
  return evidence.some(({ sentence }) => sentence.includes("both believed to hold")) ? "illegal" : "legal";
}

const countOf = (verdicts: readonly string[], wanted: string): number =>
  verdicts.filter((verdict) => verdict === wanted).length;

const FIRST = hold("W1/1", { at: 5, release: 100 });
const LITERAL: readonly (readonly [name: string, verdict: string, events: readonly At[]])[] = [
  ["one after the other", "legal", [...FIRST, ...hold("W2/1", { at: 150, release: 300 })]],
  ["both at once", "illegal", [...FIRST, ...hold("W2/1", { at: 90, release: 300 })]],
  [
    "each on a resource of its own",
    "legal",
    [...FIRST, ...hold("W2/1", { at: 90, release: 300, resource: "bills" })],
  ],
  [
    "after the deadline, while the release is still to come",
    "legal",
    [...hold("W1/1", { at: 5, deadline: 80, release: 100 }), ...hold("W2/1", { at: 90, release: 300 })],
  ],
  ["at the deadline", "legal", [...hold("W1/1", { at: 5, deadline: 90 }), ...hold("W2/1", { at: 90 })]],
  ["just before it", "illegal", [...hold("W1/1", { at: 5, deadline: 90 }), ...hold("W2/1", { at: 89 })]],
  [
    "after the holder was killed",
    "legal",
    [...hold("W1/1", { at: 5 }), [50, { kind: "worker-killed", worker: "W1" }], ...hold("W2/1", { at: 60 })],
  ],
  [
    "after the holder was told of its loss",
    "legal",
    [
      ...hold("W1/1", { at: 5 }),
      [50, { kind: "belief-ended", worker: "W1", hold: "W1/1", reason: "lost" }],
      ...hold("W2/1", { at: 60 }),
    ],
  ],
  ["past its own deadline", "legal", [...FIRST, ...hold("W2/1", { at: 90, deadline: 60 })]],
  [
    "a dead lock that comes back to life",
    "illegal",
    [
      ...hold("W1/1", { at: 5, deadline: 50 }),
      ...hold("W2/1", { at: 60 }),
      ...extended("W1/1", { at: 40, granted: 80, deadline: 120 }),
    ],
  ],
];

/** Up to seven holds of three workers on two resources, anywhere in a short time, some extended or killed. */
function drawnHistory(index: number, header: Partial<HistoryHeader>): History {
  const random = RandomStream.fromSeed(FRESH_SEED).fork(`history ${index}`);
  const below = (limit: number): number => random.below(limit);
  const holds = Array.from({ length: 1 + below(7) }, (_, nth): readonly At[] => {
    const id = `W${1 + below(3)}/${nth}`;
    const at = 10 + below(60);
    const story = { at, deadline: at - 2 + below(25), resource: ["orders", "bills"][below(2)] ?? "" };
    const end = below(2) === 0 ? { release: at + 1 + below(15) } : {};
    const granted = at + 2 + below(20);
    const raised = below(3) === 0 ? extended(id, { at: at + 1, granted, deadline: granted + below(20) }) : [];
    return [...hold(id, { ...story, ...end }), ...raised];
  });
  const kill: readonly At[] =
    below(3) === 0 ? [[20 + below(60), { kind: "worker-killed", worker: "W1" }]] : [];
  return historyOf([...holds.flat(), ...kill], header);
}

async function playedHistories(strategy: string | undefined, seed: string): Promise<readonly History[]> {
  const results = await runLab({
    ...{ scenarios: SCENARIOS, named: false, variants: [], overrides: {}, strategy, seed },
    ...{ repeat: 1, concurrency: 1, signal: new AbortController().signal, onProgress: () => undefined },
    backend: createSimulatedBackend(),
  });
  return results.flatMap(({ header, events }) => (header === undefined ? [] : [{ header, events }]));
}

describe(`Porcupine and declared, seed ${FRESH_SEED}`, () => {
  test.each(LITERAL)("%s: %s", (_name, verdict, events) => {
    const history = historyOf(events);

    expect(overlapIn(history)).toBe(verdict);
    expect(porcupine.judge([history])).toEqual([verdict]);
  });

  test.each([{ nodeStampUncertaintyMs: 0 }, { nodeStampUncertaintyMs: 1 }])(
    "agree on drawn histories, %j",
    (header) => {
      const histories = Array.from({ length: DRAWN_COUNT }, (_, index) => drawnHistory(index, header));
      const found = histories.map(overlapIn);

      expect(porcupine.judge(histories)).toEqual(found);
      expect(countOf(found, "illegal")).toBeGreaterThan(DRAWN_COUNT / 10);
      expect(countOf(found, "legal")).toBeGreaterThan(DRAWN_COUNT / 10);
    },
  );

  test.each([[undefined], ["mutant:plain-del"], ["mutant:no-undo"], ["single"]])(
    "agree on the whole catalogue, strategy %s",
    async (strategy) => {
      const histories = await playedHistories(strategy, FRESH_SEED);
      const found = histories.map(overlapIn);

      expect(porcupine.judge(histories)).toEqual(found);
      expect(countOf(found, "illegal")).toBeGreaterThan(0);
      expect(countOf(found, "legal")).toBeGreaterThan(30);
    },
  );
});
