/** Which blocks of an exploration belong to one of several machines. */
import type { Shard } from "../runner/shard.ts";
import { BLOCK_SIZE } from "./explore-range.ts";

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
