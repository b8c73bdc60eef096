/** One part of a work that several machines share. */
import { UsageError } from "../lab-error.ts";

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

/** Every n-th, so that each machine gets some of every kind. */
export function shardOf<Item>(items: readonly Item[], { number, count }: Shard): readonly Item[] {
  return items.filter((_, index) => index % count === number - 1);
}
