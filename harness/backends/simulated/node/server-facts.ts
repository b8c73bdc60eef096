/** What a server tells of itself: its clock and its identity. */

export const MS_PER_SECOND = 1_000;
const NS_PER_MS = 1_000_000;
const NS_PER_MICRO = 1_000;
const MICROS_PER_SECOND = 1_000_000;
const RUN_ID_LENGTH = 40;
const HEX = 16;

export function wholeSeconds(wallMs: number): number {
  return Math.floor(wallMs / MS_PER_SECOND);
}

/** TIME: seconds since the Unix epoch and the microseconds within. */
export function timeParts(wallMs: number): readonly [seconds: string, micros: string] {
  // Whole nanoseconds first: a whole microsecond must not end just below itself.
  const wallMicros = Math.floor(Math.round(wallMs * NS_PER_MS) / NS_PER_MICRO);
  const seconds = Math.floor(wallMicros / MICROS_PER_SECOND);
  return [String(seconds), String(wallMicros - seconds * MICROS_PER_SECOND)];
}

/** 40 hexadecimal digits, others for every start of every node; a real server draws them. */
export function runIdOf(name: string, startCount: number): string {
  const codes = Array.from(name, (character) => character.charCodeAt(0).toString(HEX).padStart(4, "0"));
  const start = startCount.toString(HEX).padStart(4, "0");
  return `${codes.join("")}${start}`.padStart(RUN_ID_LENGTH, "0").slice(-RUN_ID_LENGTH);
}

export function infoText({ runId, uptimeS }: { readonly runId: string; readonly uptimeS: number }): string {
  return `role:master\r\nrun_id:${runId}\r\nuptime_in_seconds:${uptimeS}\r\n`;
}
