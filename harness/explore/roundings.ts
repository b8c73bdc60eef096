/** Rounder numbers than a time, the roundest first: they are easier to read and to talk about. */

const GRAINS_MS = [1_000, 500, 100, 50, 10] as const;

/** Only towards a rounder one: none of them has as fine a grain as the number itself. */
export function roundings(ms: number): readonly number[] {
  if (ms === 0) return [];
  const coarser = GRAINS_MS.filter((grain) => ms % grain !== 0);
  const candidates = [
    0,
    ...coarser.flatMap((grain) => [Math.floor(ms / grain) * grain, Math.ceil(ms / grain) * grain]),
  ];
  return [...new Set(candidates)].filter((candidate) => candidate !== ms);
}
