/** Which blocks of an exploration belong to one of several machines. */
import { UsageError } from "../lab-error.ts";
import { BLOCK_SIZE } from "./explore-range.ts";

/** Counts from 1: the first of three is 1/3. */
export interface Shard {
  readonly number: number;
  readonly count: number;
}

export const WHOLE: Shard = { number: 1, count: 1 };
const SHARDS_MAX = 1_000;

/** @throws UsageError one sentence. */
export function shardFrom(text: string): Shard {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const shard = { number: Number(match?.[1]), count: Number(match?.[2]) };
  if (shard.number >= 1 && shard.number <= shard.count && shard.count <= SHARDS_MAX) return shard;
  throw new UsageError(
    `Give a shard as i/n with i from 1 to n, for example 2/8, not ${JSON.stringify(text)}.`,
  );
}

export interface Block {
  readonly number: number;
  readonly fromIndex: number;
  readonly toIndex: number;
}

/** The blocks of a shard, the lowest first. */
export function blocksOf(scheduleCount: number, { number, count }: Shard): readonly Block[] {
  const blocks: Block[] = [];
  for (let block = number - 1; block * BLOCK_SIZE < scheduleCount; block += count) {
    const fromIndex = block * BLOCK_SIZE;
    blocks.push({ number: block, fromIndex, toIndex: Math.min(fromIndex + BLOCK_SIZE, scheduleCount) });
  }
  return blocks;
}
