/**
 * The laboratory as a process of its own, in a world of its own: a folder for temporary files that nobody else
 * uses. Every process that the lab starts inherits its name, so what is left can be looked for.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../bin/redlock-lab.js", import.meta.url));

export interface LabProcess {
  readonly child: ChildProcess;
  readonly folder: string;
  /** Where results go. */
  readonly out: string;
  /** All that it has written to standard output and standard error by now. */
  readonly text: () => string;
  /** Resolves to the exit code; -1 when a signal ended it. */
  readonly ended: Promise<number>;
  /** Processes of this lab that are alive, by their command lines; the lab itself is not counted. */
  readonly processes: () => readonly string[];
  /** Names of what lies in the folder for temporary files. */
  readonly temporaryFiles: () => readonly string[];
  readonly remove: () => void;
}

export function startLab(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): LabProcess {
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-e2e-"));
  const temporary = mkdtempSync(join(folder, "tmp-"));
  const out = join(folder, "out");
  const child = spawn(process.execPath, [SCRIPT, ...args, "--out", out], {
    cwd: folder,
    env: { ...process.env, ...environment, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
  }
  const ended = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return {
    child,
    folder,
    out,
    text: () => text,
    ended,
    processes: () =>
      processesWith(`TMPDIR=${temporary}`)
        .filter(({ pid }) => pid !== child.pid)
        .map(({ command }) => command),
    temporaryFiles: () => readdirSync(temporary),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Looks again until it is so; false after some seconds. */
export async function eventually(condition: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 250; looks++) {
    if (condition()) return true;
    await delay(20);
  }
  return false;
}

interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

function processesWith(variable: string): readonly FoundProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // Of a process that has ended and that nobody has waited for, both files are empty.
        const environ = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return environ.includes(variable) ? [{ pid: Number(name), command }] : [];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}
