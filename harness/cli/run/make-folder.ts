import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it that are missing, one by one: Node's own recursive way goes round for ever
 * where the system says that a folder is not there and does not let it be made (below /proc, for one).
 *
 * @returns the first folder that was made; `undefined` where all were there.
 * @throws the system's error.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.toReversed()) mkdirSync(folder);
  // What is there may be a file; making it again says so.
  if (missing.length === 0) mkdirSync(path, { recursive: true });
  return missing.at(-1);
}
