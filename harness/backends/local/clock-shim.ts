/** Builds the clock shim from its C source into the user's cache folder: once for each source and compiler. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InfrastructureError } from "../../lab-error.ts";
import { packageFile } from "../real/package-files.ts";

export type ClockShimObstacle =
  | { readonly kind: "not-linux"; readonly sentence: string }
  | { readonly kind: "no-compiler"; readonly sentence: string };

const SOURCE = "harness/backends/real/clock/clock-shim.c";
const COMPILE_LIMIT_MS = 30_000;
const FLAGS = ["-O2", "-fPIC", "-shared", "-Wall"];

/** Why this machine cannot have clock and power-loss faults; `undefined` where it can. */
export function clockShimObstacle(machine: {
  readonly platform: NodeJS.Platform;
  readonly compiler: string | undefined;
}): ClockShimObstacle | undefined {
  if (machine.platform !== "linux") {
    return { kind: "not-linux", sentence: "clock and power-loss faults need Linux" };
  }
  if (machine.compiler === undefined) {
    return { kind: "no-compiler", sentence: "clock and power-loss faults need a C compiler" };
  }
  return undefined;
}

/**
 * @returns path of the shared object; an existing one is taken as it is.
 * @throws InfrastructureError when the source does not compile or the folder cannot be written.
 */
export async function buildClockShim(options: {
  readonly compiler: string;
  readonly cacheDir: string;
}): Promise<string> {
  const source = packageFile(SOURCE);
  const target = join(options.cacheDir, `clock-shim-${await fingerprint(source, options.compiler)}.so`);
  if (existsSync(target)) return target;

  const unfinished = `${target}.${randomUUID()}`;
  try {
    await makeFolder(options.cacheDir);
    await compile(options.compiler, [...FLAGS, "-o", unfinished, source]);
    // Whoever comes first or last: the name always stands for a whole file.
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new InfrastructureError(
      `The clock shim cannot be built with ${options.compiler} into ${options.cacheDir}: ${firstLine(error)}.`,
      { cause: error },
    );
  }
  return target;
}

/** Level by level: asked for all levels below /proc at once, Node.js never comes back. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    // Another laboratory may have been faster.
    if (!existsSync(path)) throw error;
  }
}

async function fingerprint(source: string, compiler: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await readFile(source));
  hash.update(["", compiler, process.arch, ...FLAGS].join("\0"));
  return hash.digest("hex").slice(0, 16);
}

function compile(compiler: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(compiler, args, { timeout: COMPILE_LIMIT_MS }, (error, _stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(stderr.trim() || error.message));
    });
  });
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? message).replace(/\.$/, "");
}
