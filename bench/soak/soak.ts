/** Rounds of locking under faults, each followed by a rest in which nothing may be left. */
import { RandomStream } from "../../harness/random/random-stream.ts";
import type { Rig } from "../rig/rig.ts";
import { connectionsLeft, keysLeft } from "./leftovers.ts";
import { memoryGrowthOf } from "./memory-growth.ts";
import { playNodeFaults } from "./node-faults.ts";
import { WorkerProcess } from "./worker-process.ts";

export interface SoakPlan {
  readonly durationMs: number;
  readonly seed: string;
  readonly workerCount: number;
}

export interface SoakResult {
  readonly roundCount: number;
  /** How often each act ended in which way, and each fault was there. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, number>;
  readonly orphanCount: number;
  /** For each worker its heap after each round. */
  readonly heapMb: readonly (readonly number[])[];
  /** What must not be; none is as it should be. */
  readonly problems: readonly string[];
}

const ROUND_MS = 4_000;
const LANE_COUNT = 32;
/** Rounds of a run that nobody would wait for. */
const ROUNDS_MAX = 1_000_000;
/** Keys that are named in a report. */
const NAMED_MAX = 5;

/** @param interrupted ends the soak after the round that is on, with a result like any other. */
export async function soak(rig: Rig, plan: SoakPlan, interrupted: AbortSignal): Promise<SoakResult> {
  const random = RandomStream.fromSeed(plan.seed);
  const urls = rig.nodes.map(({ proxyUrl }) => proxyUrl);
  const workers: WorkerProcess[] = [];
  const tallies = new Tallies();
  try {
    for (let index = 0; index < plan.workerCount; index++) {
      const seed = `${plan.seed} worker ${index}`;
      workers.push(await WorkerProcess.start({ urls, seed, laneCount: LANE_COUNT }));
    }
    const endsAtMs = performance.now() + plan.durationMs;
    for (
      let round = 1;
      round <= ROUNDS_MAX && performance.now() < endsAtMs && !interrupted.aborted;
      round++
    ) {
      await playRound(rig, { workers, random: random.fork(`round ${round}`), interrupted, tallies });
    }
    for (const worker of workers) tallies.noteEnded(await worker.end());
    tallies.noteLeft("connections", await connectionsLeft(rig));
  } catch (error) {
    tallies.problems.add(error instanceof Error ? error.message : String(error));
  } finally {
    for (const worker of workers) worker.kill();
  }
  return tallies.result();
}

interface RoundParts {
  readonly workers: readonly WorkerProcess[];
  readonly random: RandomStream;
  readonly interrupted: AbortSignal;
  readonly tallies: Tallies;
}

async function playRound(rig: Rig, { workers, random, interrupted, tallies }: RoundParts): Promise<void> {
  for (const worker of workers) worker.startRound();
  tallies.noteFaults(await playNodeFaults(rig, random, roundEnd(interrupted)));
  await Promise.all(workers.map((worker) => worker.rest()));
  tallies.noteLeft("keys", await keysLeft(rig));
  // Looked at once the deletes that were still on their way have come to their end.
  tallies.noteRests(await Promise.all(workers.map((worker) => worker.rest())));
}

/** Not `AbortSignal.any`: Node.js 20 may collect the signals that it is made of, and then it never aborts. */
function roundEnd(interrupted: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    interrupted.removeEventListener("abort", end);
    controller.abort();
  };
  const timer = setTimeout(end, ROUND_MS);
  interrupted.addEventListener("abort", end);
  return controller.signal;
}

type Rest = Awaited<ReturnType<WorkerProcess["rest"]>>;
type Ended = Awaited<ReturnType<WorkerProcess["end"]>>;

class Tallies {
  readonly problems = new Set<string>();
  readonly #faults = new Map<string, number>();
  readonly #heapMb: number[][] = [];
  #lastRests: readonly Rest[] = [];
  #roundCount = 0;

  noteFaults(counts: ReadonlyMap<string, number>): void {
    addAll(this.#faults, counts);
  }

  noteRests(rests: readonly Rest[]): void {
    this.#roundCount += 1;
    this.#lastRests = rests;
    for (const { defects } of rests) for (const defect of defects) this.problems.add(defect);
    for (const [index, { heapMb }] of rests.entries()) (this.#heapMb[index] ??= []).push(heapMb);
  }

  noteEnded({ resources, defects }: Ended): void {
    for (const defect of defects) this.problems.add(defect);
    if (resources.length > 0)
      this.problems.add(`left in a worker that has closed everything: ${resources.join(", ")}`);
  }

  noteLeft(what: string, left: readonly string[]): void {
    if (left.length === 0) return;
    const named = left.slice(0, NAMED_MAX).join(", ");
    const more = left.length > NAMED_MAX ? `, and ${left.length - NAMED_MAX} more` : "";
    this.problems.add(`${what} left on the nodes after round ${this.#roundCount + 1}: ${named}${more}`);
  }

  result(): SoakResult {
    const outcomes = new Map<string, number>();
    for (const rest of this.#lastRests) addAll(outcomes, Object.entries(rest.outcomes));
    for (const [index, heapMb] of this.#heapMb.entries()) {
      const growth = memoryGrowthOf(heapMb);
      if (growth !== undefined && !growth.isFlat) {
        this.problems.add(`the heap of worker ${index + 1} grew by ${growth.growthMb.toFixed(1)} MB`);
      }
    }
    return {
      roundCount: this.#roundCount,
      outcomes,
      faults: this.#faults,
      orphanCount: this.#lastRests.reduce((sum, { orphanCount }) => sum + orphanCount, 0),
      heapMb: this.#heapMb,
      problems: [...this.problems],
    };
  }
}

function addAll(sums: Map<string, number>, counts: Iterable<readonly [string, number]>): void {
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
}
