/** Installs the other libraries into a folder of their own in the user's cache, once for each lock file. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageFile } from "../../../harness/backends/real/package-files.ts";
import { cacheFolder } from "../../../harness/backends/local/programs.ts";
import { InfrastructureError } from "../../../harness/lab-error.ts";

const FILES = ["package.json", "package-lock.json", "peers.js"];
const SOURCE = "bench/coordinator/peers";
const HASH_LENGTH = 16;
const INSTALL_LIMIT_MS = 60_000;
/** Where there is no network, npm tries for minutes unless it is told not to. */
const INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0"];

/**
 * @param signal gives up.
 * @returns the folder, in which `peers.js` can be imported.
 * @throws InfrastructureError when npm cannot install them.
 */
export async function installPeers(signal: AbortSignal): Promise<string> {
  const sources = FILES.map((name) => packageFile(join(SOURCE, name)));
  const hash = createHash("sha256");
  for (const source of sources) hash.update(readFileSync(source));
  const folder = join(cacheFolder(), `bench-peers-${hash.digest("hex").slice(0, HASH_LENGTH)}`);
  if (existsSync(folder)) return folder;

  const building = `${folder}.${process.pid}`;
  try {
    mkdirSync(building, { recursive: true });
    for (const [index, source] of sources.entries()) copyFileSync(source, join(building, FILES[index] ?? ""));
    await promisify(execFile)("npm", INSTALL, {
      cwd: building,
      signal,
      timeout: INSTALL_LIMIT_MS,
      killSignal: "SIGKILL",
    });
    renameSync(building, folder);
  } catch (cause) {
    rmSync(building, { recursive: true, force: true });
    if (existsSync(folder)) return folder;
    throw new InfrastructureError(
      "The other lock libraries cannot be installed, so only the floors are measured; see that `npm ci` reaches its registry.",
      { cause },
    );
  }
  return folder;
}
