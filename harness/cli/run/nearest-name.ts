/** The known name that a mistyped one is closest to. */

/** Farther apart, a guess is no help. */
const DISTANCE_MAX = 3;

/** Ignores case; the first of equally near names; `undefined` where none is near. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const distances = known.map((name) => ({
    name,
    distance: editDistance(typed.toLowerCase(), name.toLowerCase()),
  }));
  const nearest = distances.toSorted((left, right) => left.distance - right.distance)[0];
  if (nearest === undefined || nearest.distance > DISTANCE_MAX) return undefined;
  return nearest.distance < nearest.name.length ? nearest.name : undefined;
}

/** How many characters have to be put in, left out or exchanged. */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, character] of Array.from(from).entries()) {
    const current = [row + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const exchanged = (previous[column] ?? 0) + (character === other ? 0 : 1);
      current.push(Math.min(exchanged, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
