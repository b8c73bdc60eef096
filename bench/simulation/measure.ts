/** Measuring, and the middle of what was measured. */

/** How long it takes, in seconds. */
export function secondsOf(act: () => void): number {
  const startedAtMs = performance.now();
  act();
  return (performance.now() - startedAtMs) / 1000;
}

/** The middle of some figures; of an even number of them, the upper one. */
export function medianOf(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
