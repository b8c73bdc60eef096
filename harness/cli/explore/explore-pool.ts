/**
 * Explores with several threads. Which thread takes which block changes nothing: what counts are the blocks up to
 * the lowest that failed, each explored from its first index on.
 */
import type { DrawOptions } from "../../explore/draw-schedule.ts";
import { addTallies, EMPTY_TALLY, type Tally } from "../../explore/explore-range.ts";
import type { Block } from "../../explore/blocks.ts";
import { runThreads } from "./thread-pool.ts";

export interface PoolRequest {
  readonly options: DrawOptions;
  readonly blocks: readonly Block[];
  readonly threadCount: number;
  readonly signal: AbortSignal;
  readonly onProgress: (scheduleCount: number) => void;
}

interface Answer {
  readonly block: Block;
  readonly tally: Tally;
}

/** @throws what a thread threw: a fault of ours. */
export async function explorePool(request: PoolRequest): Promise<Tally> {
  const { options, threadCount, blocks } = request;
  const progress = new PoolProgress(request);
  await runThreads<Block, Answer>({
    file: "./explore-thread.js",
    data: options,
    threadCount: Math.min(threadCount, Math.max(1, blocks.length)),
    next: () => progress.next(),
    take: (answer) => progress.take(answer),
  });
  return progress.tally();
}

class PoolProgress {
  readonly #request: PoolRequest;
  readonly #tallies = new Map<number, Tally>();
  #nextPlace = 0;
  #lowestFailed = Infinity;
  #scheduleCount = 0;

  constructor(request: PoolRequest) {
    this.#request = request;
  }

  /** The next block that can still matter; `undefined` where there is none. */
  next(): Block | undefined {
    const { blocks, signal } = this.#request;
    const block = blocks[this.#nextPlace];
    if (signal.aborted || block === undefined || block.number > this.#lowestFailed) return undefined;
    this.#nextPlace += 1;
    return block;
  }

  take({ block, tally }: Answer): boolean {
    this.#tallies.set(block.number, tally);
    if (tally.failedIndex !== undefined) this.#lowestFailed = Math.min(this.#lowestFailed, block.number);
    this.#scheduleCount += tally.scheduleCount;
    this.#request.onProgress(this.#scheduleCount);
    return true;
  }

  /** Blocks above the lowest that failed may or may not have been explored: they do not count. */
  tally(): Tally {
    const counted = [...this.#tallies]
      .filter(([number]) => number <= this.#lowestFailed)
      .toSorted(([left], [right]) => left - right);
    return counted.reduce((sum, [, tally]) => addTallies(sum, tally), EMPTY_TALLY);
  }
}
