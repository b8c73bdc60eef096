/** Literal plans, histories and answers for the runner's tests. */
import type { Backend, PlayedRun } from "../backends/backend.ts";
import type { CheckerName } from "../checkers/checker-name.ts";
import { VALID, type Verdict } from "../checkers/verdict.ts";
import type { EventBody, HistoryEvent } from "../history/event.ts";
import type { HistoryHeader } from "../history/history.ts";
import { DEFAULT_SETTINGS } from "../scenario/lab-settings.ts";
import type { RunPlan, StagingCondition, Story } from "../scenario/run-plan.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { at, planWorker } from "../scenario/story-parts.ts";
import type { Checkers } from "../checkers/checker.ts";

export const HEADER: HistoryHeader = {
  version: 1,
  scenario: "S01",
  variant: "plain",
  backend: "fake",
  seed: "1",
  startedAt: "2026-01-01T00:00:00.000Z",
  nodes: ["A", "B", "C", "D", "E"],
  workers: ["W1"],
  quorum: 3,
  ttlMs: 1000,
  nodeTimeoutMs: 50,
  driftFactor: 0.01,
  retryCapMs: 200,
  fencing: false,
  nodeStampUncertaintyMs: 0,
  schedulingGraceMs: 0,
};

/** Events 10 ms apart. */
export const eventsOf = (...bodies: readonly EventBody[]): readonly HistoryEvent[] =>
  bodies.map((body, seq) => ({ ...body, seq, atMs: 10 * seq }));

export const grantedBy = (worker: string, ...nodes: readonly string[]): EventBody => ({
  kind: "acquire-granted",
  worker,
  call: `${worker}#1`,
  hold: `${worker}/1`,
  resource: "orders",
  value: "v",
  deadlineMs: 988,
  remainingMs: 980,
  votes: nodes.map((node) => ({ node, kind: "granted", roundTripMs: 1 })),
});

export function storyWith(staging: readonly StagingCondition[] = []): Story {
  return {
    workers: [planWorker("W1", DEFAULT_SETTINGS, { startWhen: at(0) })],
    faults: [{ id: "jump", when: at(0), fault: { kind: "jump-clock", node: "C", byMs: 10 } }],
    staging,
    demands: { contention: false, events: [] },
    limitMs: 1000,
  };
}

export function scenarioWith(change: Partial<Scenario> = {}): Scenario {
  return {
    id: "S01",
    title: "A title",
    summary: "A summary.",
    story: () => storyWith(),
    variants: [{ name: "plain", summary: "As it is told.", expect: {} }],
    ...change,
  };
}

export function planWith(staging: readonly StagingCondition[] = []): RunPlan {
  return {
    ...storyWith(staging),
    version: 1,
    scenario: "S01",
    variant: "plain",
    seed: "1",
    nodes: HEADER.nodes,
    strategy: "redlock",
    settings: DEFAULT_SETTINGS,
  };
}

export const invalid = (sentence: string): Verdict => ({
  kind: "invalid",
  evidence: [{ sentence, fromMs: 1, toMs: 2, seqs: [0] }],
});

/** Checkers that find everything valid, but for what is named. */
export function checkersThatSay(verdicts: Partial<Record<CheckerName, Verdict>> = {}): Checkers {
  const saying = (name: CheckerName) => () => verdicts[name] ?? VALID;
  return {
    declared: saying("declared"),
    actual: saying("actual"),
    danger: saying("danger"),
    stale: saying("stale"),
    tokens: saying("tokens"),
    hygiene: saying("hygiene"),
    settling: saying("settling"),
    recovery: saying("recovery"),
    progress: saying("progress"),
    vacuity: saying("vacuity"),
  };
}

export interface FakeBackend extends Backend {
  /** The plans played so far. */
  readonly played: readonly RunPlan[];
}

/** Plays by a function instead of servers. */
export function fakeBackend(
  play: (plan: RunPlan, count: number) => readonly HistoryEvent[] | Promise<readonly HistoryEvent[]>,
  whyNot: Backend["whyNot"] = () => undefined,
): FakeBackend {
  const played: RunPlan[] = [];
  return {
    name: "fake",
    isDeterministic: false,
    played,
    whyNot,
    play: async (plan): Promise<PlayedRun> => {
      played.push(plan);
      return { header: HEADER, events: await play(plan, played.length) };
    },
  };
}
