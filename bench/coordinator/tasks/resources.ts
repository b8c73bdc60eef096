/** Names that nobody else uses; and how long locks live that are given back at once. */
let count = 0;

export function freshResource(): string {
  count += 1;
  return `bench:${process.pid}:${count}`;
}

export const TTL_MS = 10_000;
