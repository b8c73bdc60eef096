/**
 * Which process a number stands for. Numbers are used again, so a process is known by its number and the time
 * of its start.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const PS_LIMIT_MS = 2_000;

/** When the process was started, in whatever the system counts; `undefined` when it is not running any more. */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") return startTimeByPs(pid);
    return startTimeFromStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // No such process.
    return undefined;
  }
}

/** Reads a line of `/proc/<pid>/stat`; a zombie is not running. */
export function startTimeFromStat(stat: string): string | undefined {
  // The name in parentheses is the process's own choice and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  return state === "Z" || state === "X" || state === undefined ? undefined : fields[19];
}

function startTimeByPs(pid: number): string | undefined {
  const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: PS_LIMIT_MS,
  });
  const match = /^\s*(\S+)\s+(.+?)\s*$/.exec(line);
  return match === null || match[1]?.startsWith("Z") === true ? undefined : match[2];
}
