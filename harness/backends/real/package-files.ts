/**
 * Finds files of this package from wherever the code runs: from its TypeScript sources under a test runner, or
 * compiled from `dist`. Child processes are always compiled JavaScript (a wrapper that compiles on the fly
 * would be a process of its own, and signals would hit it instead).
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InfrastructureError } from "../../lab-error.ts";

const PACKAGE_NAME = "redlock-lab";
const LEVELS_MAX = 10;

/** The folder that holds the package's package.json. */
export function packageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  let folder = from;
  for (let level = 0; level < LEVELS_MAX; level++) {
    if (isPackageRoot(folder)) return folder;
    folder = dirname(folder);
  }
  throw new InfrastructureError(`No package.json of ${PACKAGE_NAME} is above ${from}; install it again.`);
}

/** @param path relative to the package, `harness/backends/real/clock/clock-shim.c`. */
export function packageFile(path: string): string {
  return requireFile(join(packageRoot(), path), "install the package again");
}

/** @param path of the source relative to the package, `harness/backends/real/supervisor/supervisor-main.ts`. */
export function compiledFile(path: string): string {
  return requireFile(join(packageRoot(), "dist", path.replace(/\.ts$/, ".js")), "run `npm run build`");
}

function requireFile(path: string, remedy: string): string {
  if (existsSync(path)) return path;
  throw new InfrastructureError(`${path} is not there: ${remedy}.`);
}

function isPackageRoot(folder: string): boolean {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return false;
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  return (
    typeof manifest === "object" && manifest !== null && "name" in manifest && manifest.name === PACKAGE_NAME
  );
}
