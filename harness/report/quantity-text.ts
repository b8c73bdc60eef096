/** Numbers as reports write them. */

export function msText(atMs: number): string {
  return Number.isFinite(atMs) ? `${Math.round(atMs)} ms` : "the end of the run";
}

/** With its sign, also where it is positive. */
export function signedText(value: number): string {
  return value < 0 ? String(value) : `+${value}`;
}

/** `C`, `A and C`, `A, B and C`. */
export function listText(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.slice(-1).join("")}`;
}
