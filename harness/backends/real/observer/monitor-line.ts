/** Reads the lines that Redis writes to a connection in MONITOR mode. Pure. */

export interface MonitorLine {
  /** The server's wall clock since the Unix epoch, in whole microseconds. */
  readonly shownNs: bigint;
  readonly database: number;
  /** Called by a script, not by a client. */
  readonly isFromScript: boolean;
  /** The command's name as it was sent, then its arguments. */
  readonly args: readonly string[];
}

const LINE = /^(\d+)\.(\d{6}) \[(\d+) (.*?)\] (".*")$/;
/** One quoted argument: anything but quotes and backslashes, or a backslash with what it escapes. */
const ARGUMENT = /"((?:[^"\\]|\\.)*)"/g;
const ESCAPE = /\\(?:x([0-9a-f]{2})|(.))/g;
const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b" };

/** @returns `undefined` for what is no such line. */
export function parseMonitorLine(line: string): MonitorLine | undefined {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, seconds = "", micros = "", database = "", source = "", list = ""] = match;
  return {
    shownNs: BigInt(seconds) * 1_000_000_000n + BigInt(micros) * 1_000n,
    database: Number(database),
    isFromScript: source === "lua",
    args: [...list.matchAll(ARGUMENT)].map(([, quoted = ""]) => unquote(quoted)),
  };
}

/** Redis escapes byte by byte, so a character outside ASCII is several escapes. */
function unquote(quoted: string): string {
  const bytes = quoted.replace(ESCAPE, (_all, hex: string | undefined, character: string | undefined) =>
    hex === undefined
      ? (CONTROL[character ?? ""] ?? character ?? "")
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
