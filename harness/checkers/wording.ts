/** How times and names are written in evidence. */

/** Milliseconds with at most one decimal place. */
export function formatMs(ms: number): string {
  return `${Math.round(ms * 10) / 10}`;
}

/** `A`, `A and B`, `A, B and C`; empty for nobody. */
export function listOf(names: readonly string[]): string {
  const last = names.slice(-1).join("");
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
