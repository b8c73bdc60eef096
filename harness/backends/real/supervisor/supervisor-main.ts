/**
 * The supervisor: a process of its own session that holds the end of a pipe from the laboratory. When the pipe
 * ends, the laboratory has ended, in whatever way: everything it had started is killed, stopped processes too,
 * its temporary folders are removed, and the supervisor leaves.
 */
import { rmSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { onJsonLine } from "../json-lines.ts";
import { FOLDER_PREFIX } from "../run-folder-name.ts";
import { endProcesses } from "./end-processes.ts";
import { applyMessage, asSupervisorMessage, NOTHING_SUPERVISED } from "./supervised.ts";

const REMOVE_RETRIES = 20;
const REMOVE_RETRY_MS = 50;

let supervised = NOTHING_SUPERVISED;
let isLeaving = false;

function removeFolder(path: string): void {
  // Whatever went wrong in the laboratory: nothing but its own folders is removed.
  if (!isAbsolute(path) || !basename(path).startsWith(FOLDER_PREFIX)) return;
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: REMOVE_RETRIES, retryDelay: REMOVE_RETRY_MS });
  } catch {
    // Nobody is left to tell; the other folders still have to go.
  }
}

async function leave(): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  await endProcesses(supervised);
  for (const path of supervised.folders) removeFolder(path);
  process.exit(0);
}

// The laboratory's signals are the laboratory's business; only its end counts.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const) {
  process.on(signal, () => undefined);
}
onJsonLine(process.stdin, (line) => {
  const message = asSupervisorMessage(line);
  if (message !== undefined) supervised = applyMessage(supervised, message);
});
process.stdin.on("close", () => void leave());
process.stdin.on("error", () => void leave());
// The laboratory reads one line and closes its end.
process.stdout.on("error", () => undefined);
process.stdout.write("ready\n");
