/** Lines of JSON over a stream: the one form in which the lab's processes talk to each other. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export function jsonLine(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

/**
 * Calls back for each line. A line that is no JSON can only be the last one of a process that was killed
 * while it wrote; it is dropped.
 */
export function onJsonLine(stream: Readable, callback: (message: unknown) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on("line", (line) => {
    const message = parseLine(line);
    if (message !== undefined) callback(message);
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Half a line, see above.
    return undefined;
  }
}
