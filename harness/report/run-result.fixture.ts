/** Literal runs that the tests of the reports read: what S14 and S01 look like on a well-behaved machine. */
import type { CheckerName } from "../checkers/checker-name.ts";
import { CHECKER_NAMES } from "../checkers/checker-name.ts";
import type { Evidence, Verdict } from "../checkers/verdict.ts";
import type { Vote } from "../../src/ports/vote.ts";
import type { Fault } from "../faults/fault.ts";
import type { EventBody, HistoryEvent } from "../history/event.ts";
import type { HistoryHeader } from "../history/history.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { DEFAULT_SETTINGS } from "../scenario/lab-settings.ts";
import type { Expectations } from "../scenario/scenario.ts";
import type { CheckerResult, RunResult } from "./run-result.ts";

export const HEADER: HistoryHeader = {
  version: 1,
  scenario: "S14",
  variant: "plain",
  backend: "local",
  seed: "7",
  startedAt: "2026-01-01T00:00:00.000Z",
  nodes: ["A", "B", "C", "D", "E"],
  workers: ["W1", "W2"],
  quorum: 3,
  ttlMs: 1000,
  nodeTimeoutMs: 50,
  driftFactor: 0.01,
  retryCapMs: 100,
  fencing: false,
  nodeStampUncertaintyMs: 0,
  schedulingGraceMs: 0,
};

export const PLAN: RunPlan = {
  version: 1,
  scenario: "S14",
  variant: "plain",
  seed: "7",
  nodes: HEADER.nodes,
  strategy: "redlock",
  settings: DEFAULT_SETTINGS,
  workers: [],
  faults: [],
  staging: [],
  demands: { contention: true, events: [] },
  limitMs: 5000,
};

/** Numbers the events in the order given. */
export function eventsOf(...stamped: readonly (readonly [number, EventBody])[]): readonly HistoryEvent[] {
  return stamped.map(([atMs, body], seq) => ({ ...body, seq, atMs }));
}

export const invalid = (sentence: string, where: Partial<Evidence> = {}): Verdict => ({
  kind: "invalid",
  evidence: [{ sentence, fromMs: 0, toMs: 0, seqs: [], ...where }],
});

/** Every checker valid but those named, against what was expected. */
export function checkerResults(
  verdicts: Partial<Record<CheckerName, Verdict>> = {},
  expect: Expectations = {},
): readonly CheckerResult[] {
  return CHECKER_NAMES.map((checker) => {
    const verdict = verdicts[checker] ?? { kind: "valid" };
    const expected = expect[checker] ?? "valid";
    return { checker, expected, verdict, met: expected === "any" || expected === verdict.kind };
  });
}

/** A control that matched, but for what is named. */
export function runResult(differences: Partial<RunResult> = {}): RunResult {
  return {
    version: 1,
    scenario: "S16",
    title: "Delayed restart",
    variant: "plain",
    summary: "The node stays away until every key it forgot has expired.",
    backend: "local",
    seed: "7",
    repetition: 1,
    outcome: "matched",
    reason: "every checker said what was expected",
    checkers: checkerResults(),
    stagings: ["ok"],
    durationMs: 1234,
    replay: "redlock-lab run S16 --variant plain --backend local --seed 7",
    plan: PLAN,
    digest: undefined,
    header: HEADER,
    events: [],
    ...differences,
  };
}

const granted = (...nodes: readonly string[]): readonly Vote[] =>
  nodes.map((node) => ({ node, kind: "granted", roundTripMs: 2 }));

const keysSet = (
  value: string,
  nodes: readonly string[],
  atMs: number,
): readonly (readonly [number, EventBody])[] =>
  nodes.map((node) => [
    atMs,
    { kind: "key-set", node, resource: "orders", value, expiresInMs: 1000, cause: "command" },
  ]);

/** S14 plain: C is killed while W1 holds A, B, C, comes back empty, and votes for W2. */
export function s14Result(): RunResult {
  const events = eventsOf(
    [0, { kind: "fault-applied", fault: "cut-w1", nodes: ["D", "E"], workers: ["W1"] }],
    [0, { kind: "fault-applied", fault: "cut-w2", nodes: ["A", "B"], workers: ["W2"] }],
    [0, { kind: "worker-started", worker: "W1" }],
    [0, { kind: "acquire-invoked", worker: "W1", call: "W1#1", resource: "orders", ttlMs: 1000, waitMs: 0 }],
    ...keysSet("v1", ["A", "B", "C"], 3),
    [
      5,
      {
        kind: "acquire-granted",
        worker: "W1",
        call: "W1#1",
        hold: "W1/1",
        resource: "orders",
        value: "v1",
        deadlineMs: 988,
        remainingMs: 983,
        votes: granted("A", "B", "C"),
      },
    ],
    [6, { kind: "section-entered", worker: "W1", hold: "W1/1" }],
    [50, { kind: "fault-applied", fault: "down", nodes: ["C"], workers: [] }],
    [50, { kind: "node-down", node: "C", cause: "killed" }],
    [120, { kind: "node-up", node: "C" }],
    [121, { kind: "fault-healed", fault: "down", nodes: ["C"], workers: [] }],
    [130, { kind: "worker-started", worker: "W2" }],
    [
      130,
      { kind: "acquire-invoked", worker: "W2", call: "W2#1", resource: "orders", ttlMs: 1000, waitMs: 0 },
    ],
    ...keysSet("v2", ["C", "D", "E"], 132),
    [
      135,
      {
        kind: "acquire-granted",
        worker: "W2",
        call: "W2#1",
        hold: "W2/1",
        resource: "orders",
        value: "v2",
        deadlineMs: 1118,
        remainingMs: 983,
        votes: granted("C", "D", "E"),
      },
    ],
    [136, { kind: "section-entered", worker: "W2", hold: "W2/1" }],
    [190, writeJudged("W2", { accepted: true })],
    [700, writeJudged("W1", { accepted: true, acceptedIfFenced: false })],
    [701, { kind: "section-left", worker: "W1", hold: "W1/1" }],
    [790, { kind: "section-left", worker: "W2", hold: "W2/1" }],
    [1200, { kind: "story-ended", cause: "done" }],
    [1300, { kind: "run-ended" }],
  );
  const seqs = events.filter(({ kind }) => kind === "acquire-granted").map(({ seq }) => seq);
  return runResult({
    scenario: "S14",
    title: "Crash without persistence, immediate restart",
    replay: "redlock-lab run S14 --variant plain --backend local --seed 7",
    plan: {
      ...PLAN,
      faults: [
        { id: "cut-w1", when: { kind: "at", atMs: 0 }, fault: cut("W1", "D", "E") },
        { id: "cut-w2", when: { kind: "at", atMs: 0 }, fault: cut("W2", "A", "B") },
        {
          id: "down",
          when: { kind: "at", atMs: 50 },
          fault: { kind: "crash-node", node: "C", downForMs: 70 },
        },
      ],
    },
    events,
    checkers: checkerResults(
      {
        declared: invalid("W1/1 and W2/1 overlap", { fromMs: 135, toMs: 988, seqs }),
        actual: invalid("both inside", { fromMs: 136, toMs: 701, seqs }),
        stale: invalid("an old write", { fromMs: 190, toMs: 700, seqs: writeSeqs(events) }),
      },
      { declared: "invalid", actual: "invalid", stale: "invalid" },
    ),
  });
}

/** S01: W1 is paused beyond its deadline and writes; a fencing resource refuses it. */
export function s01Result({ fenced }: { readonly fenced: boolean }): RunResult {
  const token = (digits: string) => (fenced ? { fencingToken: digits } : {});
  const grant = (worker: string, value: string, deadlineMs: number, digits: string): EventBody => ({
    kind: "acquire-granted",
    worker,
    call: `${worker}#1`,
    hold: `${worker}/1`,
    resource: "orders",
    value,
    deadlineMs,
    remainingMs: 983,
    votes: granted("A", "B", "C", "D", "E"),
    ...token(digits),
  });
  const events = eventsOf(
    [0, { kind: "acquire-invoked", worker: "W1", call: "W1#1", resource: "orders", ttlMs: 1000, waitMs: 0 }],
    ...keysSet("v1", HEADER.nodes, 3),
    [5, grant("W1", "v1", 988, "33")],
    [6, { kind: "section-entered", worker: "W1", hold: "W1/1" }],
    [10, { kind: "fault-applied", fault: "pause-w1", nodes: [], workers: ["W1"] }],
    [10, { kind: "worker-paused", worker: "W1" }],
    [
      1100,
      { kind: "acquire-invoked", worker: "W2", call: "W2#1", resource: "orders", ttlMs: 1000, waitMs: 0 },
    ],
    ...keysSet("v2", HEADER.nodes, 1103),
    [1105, grant("W2", "v2", 2088, "34")],
    [1106, { kind: "section-entered", worker: "W2", hold: "W2/1" }],
    [1150, { ...writeJudged("W2", { accepted: true }), ...token("34") }],
    [1610, { kind: "worker-resumed", worker: "W1" }],
    [1610, { kind: "fault-healed", fault: "pause-w1", nodes: [], workers: ["W1"] }],
    [1612, { ...writeJudged("W1", { accepted: !fenced, acceptedIfFenced: false }), ...token("33") }],
    [1613, { kind: "section-left", worker: "W1", hold: "W1/1" }],
    [1750, { kind: "section-left", worker: "W2", hold: "W2/1" }],
    [1750, { kind: "release-invoked", worker: "W2", call: "W2#2", hold: "W2/1" }],
    [1800, { kind: "story-ended", cause: "done" }],
    [1900, { kind: "run-ended" }],
  );
  const seqs = events.filter(({ kind }) => kind === "acquire-granted").map(({ seq }) => seq);
  const actual = invalid("both inside", { fromMs: 1106, toMs: 1613, seqs });
  const stale = invalid("an old write", { fromMs: 1150, toMs: 1612, seqs: writeSeqs(events) });
  return runResult({
    scenario: "S01",
    title: "Holder paused after acquiring",
    variant: fenced ? "fenced" : "plain",
    replay: `redlock-lab run S01 --variant ${fenced ? "fenced" : "plain"} --backend local --seed 7`,
    plan: {
      ...PLAN,
      faults: [
        {
          id: "pause-w1",
          when: { kind: "at", atMs: 10 },
          fault: { kind: "pause-worker", worker: "W1", forMs: 1600 },
        },
      ],
    },
    events,
    checkers: fenced
      ? checkerResults({ actual }, { actual: "invalid" })
      : checkerResults({ actual, stale }, { actual: "invalid", stale: "invalid" }),
  });
}

function writeJudged(
  worker: string,
  {
    accepted,
    acceptedIfFenced = accepted,
  }: { readonly accepted: boolean; readonly acceptedIfFenced?: boolean },
): EventBody {
  const hold = `${worker}/1`;
  return {
    kind: "write-judged",
    resource: "orders",
    worker,
    hold,
    write: `${hold}-1`,
    accepted,
    acceptedIfFenced,
  };
}

const writeSeqs = (events: readonly HistoryEvent[]) =>
  events.filter(({ kind }) => kind === "write-judged").map(({ seq }) => seq);

const cut = (worker: string, ...nodes: readonly string[]): Fault => ({
  kind: "cut-link",
  workers: [worker],
  nodes,
  how: "refuse",
});
