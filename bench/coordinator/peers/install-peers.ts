/** Installs the other libraries into a folder of their own in the user's cache, once for each lock file. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packageFile } from "../../../harness/backends/real/package-files.ts";
import { cacheFolder } from "../../../harness/backends/local/programs.ts";
import { InfrastructureError } from "../../../harness/lab-error.ts";

const FILES = ["package.json", "package-lock.json", "peers.js"];
const SOURCE = "bench/coordinator/peers";
const HASH_LENGTH = 16;

/**
 * @returns the folder, in which `peers.js` can be imported.
 * @throws InfrastructureError when npm cannot install them.
 */
export function installPeers(): string {
  const sources = FILES.map((name) => packageFile(join(SOURCE, name)));
  const hash = createHash("sha256");
  for (const source of sources) hash.update(readFileSync(source));
  const folder = join(cacheFolder(), `bench-peers-${hash.digest("hex").slice(0, HASH_LENGTH)}`);
  if (existsSync(folder)) return folder;

  const building = `${folder}.${process.pid}`;
  mkdirSync(building, { recursive: true });
  try {
    for (const [index, source] of sources.entries()) copyFileSync(source, join(building, FILES[index] ?? ""));
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: building,
      stdio: "pipe",
    });
    renameSync(building, folder);
  } catch (cause) {
    rmSync(building, { recursive: true, force: true });
    if (existsSync(folder)) return folder;
    throw new InfrastructureError(
      "The other lock libraries cannot be installed; see that `npm ci` works, or bench without them (--no-peers).",
      { cause },
    );
  }
  return folder;
}
