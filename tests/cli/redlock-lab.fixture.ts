/** Runs the command line as a user does: the committed script on the compiled code, in a process of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../bin/redlock-lab.js", import.meta.url));
const LIMIT_MS = 30_000;

export interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly cwd: string;
  /** Stop reading standard output after so many characters, as `head` does. */
  readonly readsMax?: number;
  /** Press Ctrl-C when standard output holds this. */
  readonly interruptAt?: string;
  /** Beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** After so long it is ended. */
  readonly limitMs?: number;
}

export function redlockLab(argv: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const { cwd, readsMax = Infinity, interruptAt, env = {}, limitMs = LIMIT_MS } = surroundings;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SCRIPT, ...argv], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limitMs,
      env: { ...process.env, NO_COLOR: "1", DEBUG: "", ...env },
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const wasThere = interruptAt !== undefined && out.includes(interruptAt);
      out += text;
      if (interruptAt !== undefined && !wasThere && out.includes(interruptAt)) child.kill("SIGINT");
      if (out.length > readsMax) child.stdout.destroy();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, out, err }));
  });
}
