/** Ends the processes of a laboratory that is gone: those whose numbers are known, and those with its label. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { RUN_LABEL } from "../process-ledger.ts";
import { processStartTime } from "./process-identity.ts";
import type { Supervised } from "./supervised.ts";

const ROUNDS_MAX = 100;
const ROUND_MS = 20;
/**
 * A process that was about to be born when the laboratory died carries its label only once it runs its own
 * program: nobody must be found several times in a row.
 */
const QUIET_ROUNDS = 4;

/** Resolves when no such process is left, or after some seconds. Never rejects. */
export async function endProcesses(supervised: Supervised): Promise<void> {
  let quietRounds = 0;
  for (let round = 0; round < ROUNDS_MAX && quietRounds < QUIET_ROUNDS; round++) {
    const pids = [...runningAmong(supervised.processes), ...labelledWith(supervised.labels)];
    for (const pid of pids) kill(pid);
    quietRounds = pids.length === 0 ? quietRounds + 1 : 0;
    await delay(ROUND_MS);
  }
}

/** True when an environment, as the kernel shows it, carries one of the labels. */
export function carriesLabel(environ: string, labels: ReadonlySet<string>): boolean {
  const prefix = `${RUN_LABEL}=`;
  return environ
    .split("\0")
    .some((entry) => entry.startsWith(prefix) && labels.has(entry.slice(prefix.length)));
}

function runningAmong(processes: ReadonlyMap<number, string>): readonly number[] {
  return [...processes].flatMap(([pid, startTime]) => (processStartTime(pid) === startTime ? [pid] : []));
}

/** Linux only: elsewhere other processes' environments are not to be read, and there are none here. */
function labelledWith(labels: ReadonlySet<string>): readonly number[] {
  if (labels.size === 0 || process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid)
    .filter((pid) => carriesLabel(readEnvironment(pid), labels) && processStartTime(pid) !== undefined);
}

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // It has just ended, or is not ours to look at.
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
