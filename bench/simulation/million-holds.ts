/** A history with very many holds, and how long it takes to find the two of them that overlap. */
import { checkDeclaredOverlap } from "../../harness/checkers/declared-overlap.ts";
import type { EventBody, HistoryEvent } from "../../harness/history/event.ts";
import { hasEvent } from "../../harness/history/events-of.ts";
import type { History } from "../../harness/history/history.ts";
import { holdsOf } from "../../harness/history/holds.ts";
import { playSimulatedRun } from "../../harness/backends/simulated/simulated-run.ts";
import { referencePlan } from "./reference-plan.ts";
import { medianOf, secondsOf } from "./measure.ts";

export interface JudgingSpeed {
  readonly holdCount: number;
  /** From events to holds and to an index of events, which all checkers share. */
  readonly readS: number;
  /** From holds to a verdict. */
  readonly judgedS: number;
}

const ROUND_COUNT = 3;
const HOLD_MS = 8;
const CYCLE_MS = 10;

export function measureJudging(holdCount: number): JudgingSpeed {
  const history = longHistory(holdCount);
  const readS = secondsOf(() => {
    holdsOf(history);
    hasEvent(history, "acquire-granted");
  });
  const rounds = Array.from({ length: ROUND_COUNT }, () => secondsOf(() => findOverlap(history)));
  return { holdCount, readS, judgedS: medianOf(rounds) };
}

function findOverlap(history: History): void {
  const verdict = checkDeclaredOverlap(history);
  const foundCount = verdict.kind === "invalid" ? verdict.evidence.length : 0;
  if (foundCount !== 1) throw new Error(`one overlap was made, and ${foundCount} were found`);
}

/** Holds in turn of three workers, each released in time but for one in the middle. */
function longHistory(holdCount: number): History {
  const { header } = playSimulatedRun(referencePlan("1"));
  const late = Math.floor(holdCount / 2);
  const events: HistoryEvent[] = [];
  const add = (atMs: number, body: EventBody): void => {
    events.push({ ...body, seq: events.length, atMs });
  };
  for (let index = 0; index < holdCount; index += 1) {
    const atMs = index * CYCLE_MS;
    const worker = `W${(index % 3) + 1}`;
    const same = { worker, hold: `${worker}/${index}` };
    add(atMs + 2, {
      ...same,
      kind: "acquire-granted",
      call: `${worker}#${2 * index}`,
      resource: "orders",
      value: `value ${index}`,
      deadlineMs: atMs + 300,
      remainingMs: 298,
      votes: VOTES,
    });
    if (index === late + 1) add(atMs + 3, release(`W${(late % 3) + 1}`, late));
    if (index !== late) add(atMs + HOLD_MS, release(worker, index));
  }
  return { header, events };
}

function release(worker: string, index: number): EventBody {
  return { kind: "release-invoked", worker, hold: `${worker}/${index}`, call: `${worker}#${2 * index + 1}` };
}

const VOTES = ["A", "B", "C"].map((node) => ({ kind: "granted", node, roundTripMs: 4 }) as const);
