/** A program of `bench/` as a process of its own, with a folder for temporary files that nobody else uses. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface BenchProcess {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when it has written this to standard output, or has ended. */
  readonly untilOut: (text: string) => Promise<void>;
  /** Resolves to the exit code; -1 when a signal ended it. */
  readonly ended: Promise<number>;
  /** Its processes that are alive, by their command lines; itself is not counted. */
  readonly processes: () => readonly string[];
  readonly remove: () => void;
}

/** @param program of the compiled code, `bench/soak/main`. */
export function startBench(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): BenchProcess {
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-bench-test-"));
  const script = fileURLToPath(new URL(`../../dist/${program}.js`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    texts.out += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    texts.err += part;
  });
  const ended = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return {
    child,
    folder,
    out: () => texts.out,
    err: () => texts.err,
    ended,
    untilOut: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (texts.out.includes(text)) resolve();
        };
        child.stdout.on("data", look);
        void ended.then(() => resolve());
        look();
      }),
    processes: () => processesIn(folder, child.pid),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whatever it starts inherits the folder's name. */
function processesIn(folder: string, ownPid: number | undefined): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== ownPid)
    .flatMap((name) => {
      try {
        // Of a process that has ended and that nobody has waited for, both files are empty.
        const environ = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return environ.includes(`TMPDIR=${folder}`) ? [command] : [];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}
