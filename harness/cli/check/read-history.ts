/** Reads a history from a file, line by line: it may be longer than the longest string. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { History } from "../../history/history.ts";
import { HistoryReader } from "../../history/jsonl.ts";
import { UsageError } from "../../lab-error.ts";
import { RUN_FILES } from "../../report/run-folder.ts";
import { oneLine } from "../failure.ts";

/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = /^\uFEFF/;
const CHUNK_BYTES = 1_048_576;
/** An event is a few hundred characters; a file without line ends is no history. */
const LINE_CHARACTERS_MAX = 4_194_304;

/**
 * The file that a path means: itself, or the history in the folder of a run.
 *
 * @throws UsageError one sentence that begins with the path.
 */
export function historyFileAt(path: string): string {
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  const file = statSync(path).isDirectory() ? join(path, RUN_FILES.history) : path;
  if (!existsSync(file)) {
    throw new UsageError(
      `${path} holds no ${RUN_FILES.history}; give the folder of a run, or the file itself.`,
    );
  }
  return file;
}

/** @throws UsageError one sentence: the file, the line, and what is wrong with it. */
export function readHistory(file: string): History {
  const reader = new HistoryReader();
  attempt(file, () => {
    if (statSync(file).size === 0) throw new UsageError(`${file} is empty.`);
    for (const line of linesOf(file)) if (!reader.take(line.replace(BYTE_ORDER_MARK, ""))) return;
  });
  const parsed = reader.end();
  if (parsed.kind === "parsed") return parsed.history;
  throw new UsageError(`${file}, line ${parsed.line}: ${oneLine(parsed.problem)}.`);
}

function attempt(file: string, read: () => void): void {
  try {
    read();
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const reason = cause instanceof Error ? oneLine(cause.message) : String(cause);
    throw new UsageError(`${file} cannot be read: ${reason}`, { cause });
  }
}

function* linesOf(file: string): Generator<string> {
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const decoder = new StringDecoder("utf8");
    let rest = "";
    for (;;) {
      const length = readSync(descriptor, chunk);
      if (length === 0) break;
      const lines = (rest + decoder.write(chunk.subarray(0, length))).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
      if (rest.length > LINE_CHARACTERS_MAX)
        throw new UsageError(`${file} is no history: a line has no end.`);
    }
    rest += decoder.end();
    if (rest !== "") yield rest;
  } finally {
    closeSync(descriptor);
  }
}
