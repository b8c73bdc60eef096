/** Measuring, and the middle of what was measured. */

const MICROSECONDS_PER_S = 1_000_000;

/** How many seconds of a core it takes, the collection of garbage included: others may be at work on the machine. */
export function secondsOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS_PER_S;
}

/** The middle of some figures; of an even number of them, the upper one. */
export function medianOf(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
