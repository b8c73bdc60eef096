/** The append-only files of a node on disk, as Redis 7 lays them out, and the cutting of what was not synced. */
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "appendonlydir";
const NAME = /^appendonly\.aof\.(\d+)\.incr\.aof$/;

export interface AppendOnlyFile {
  readonly sequence: number;
  readonly path: string;
  readonly bytes: number;
}

/** The file that the server of this folder writes to; `undefined` where it keeps none. */
export function newestAppendOnlyFile(nodeFolder: string): AppendOnlyFile | undefined {
  const folder = join(nodeFolder, FOLDER);
  if (!existsSync(folder)) return undefined;
  const sequences = readdirSync(folder).flatMap((name) => {
    const match = NAME.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
  if (sequences.length === 0) return undefined;
  const sequence = Math.max(...sequences);
  const path = join(folder, `appendonly.aof.${String(sequence)}.incr.aof`);
  return { sequence, path, bytes: statSync(path).size };
}

/** Cuts the file down to its first bytes. @returns how many bytes are gone. */
export function cutAppendOnlyFile(file: AppendOnlyFile, keptBytes: number): number {
  const lostBytes = Math.max(0, file.bytes - keptBytes);
  if (lostBytes > 0) truncateSync(file.path, keptBytes);
  return lostBytes;
}

/** Harmless where there are none. */
export function removeAppendOnlyFiles(nodeFolder: string): void {
  rmSync(join(nodeFolder, FOLDER), { recursive: true, force: true });
}
