/** What servers write about themselves, cut down to what a person needs to know. Pure. */

/** The last line without process number and time of day, or a JSON line's error; `undefined` for no text. */
export function lastLogLine(text: string): string | undefined {
  const line = text.trim().split("\n").at(-1)?.trim();
  if (line === undefined || line === "") return undefined;
  const sentence = fieldOf(line, ["error", "message"]) ?? line.replace(/^\d+:[A-Z] .*? [.*#-] /, "");
  return sentence.replace(/\.$/, "");
}

/** True when a server that writes JSON lines has written one of the level `error`. */
export function hasLoggedError(text: string): boolean {
  return text.split("\n").some((line) => fieldOf(line, ["level"]) === "error");
}

/** The first of these fields that the line has as text; `undefined` when it is no JSON. */
function fieldOf(line: string, names: readonly string[]): string | undefined {
  const fields = parseObject(line);
  const value = names.map((name) => fields.get(name)).find((field) => field !== undefined);
  return typeof value === "string" ? value : undefined;
}

function parseObject(line: string): ReadonlyMap<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line);
    return new Map(typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : []);
  } catch {
    // A line of plain text.
    return new Map();
  }
}
