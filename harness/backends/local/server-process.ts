/**
 * A server that the laboratory runs: in a process group of its own, so that a terminal's Ctrl-C does not reach
 * it, labelled with the run, and with all it says in one file. It may end at any moment.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessLedger } from "../real/process-ledger.ts";
import { lastLogLine } from "./server-log.ts";

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly logPath: string;
  /** Added to this process's own. */
  readonly environment: Readonly<Record<string, string>>;
}

export type Readiness = "ready" | "ended" | "late";

const POLL_MS = 3;

export class ServerProcess {
  /** Resolves when the process is gone, or could not be started, with a clause that says how. Never rejects. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #logPath: string;
  /** What an earlier process has written to the same file. */
  readonly #logStart: number;
  #howEnded: string | undefined;

  constructor(command: ServerCommand, ledger: ProcessLedger) {
    this.#logPath = command.logPath;
    this.#logStart = existsSync(this.#logPath) ? statSync(this.#logPath).size : 0;
    this.#child = spawnLogged(command);
    const { pid } = this.#child;
    if (pid !== undefined) ledger.watchProcess(pid);
    this.ended = howItEnds(this.#child).then((how) => {
      this.#howEnded = how;
      if (pid !== undefined) ledger.forgetProcess(pid);
      return how;
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#howEnded === undefined;
  }

  /** All that it has said so far. */
  log(): string {
    return readFileSync(this.#logPath).toString("utf8", this.#logStart);
  }

  /** Does nothing when the process is gone. */
  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(name);
  }

  /** SIGKILL, which a stopped process obeys too; resolves when it is gone. Never rejects. */
  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  /** Asks `probe` again and again until it says yes; a probe must have a time limit of its own. */
  async becomeReady(probe: () => Promise<boolean>, { limitMs }: { limitMs: number }): Promise<Readiness> {
    const deadlineMs = performance.now() + limitMs;
    while (performance.now() < deadlineMs) {
      if (!this.isRunning) return "ended";
      if (await probe()) return "ready";
      await Promise.race([delay(POLL_MS), this.ended]);
    }
    return this.isRunning ? "late" : "ended";
  }

  /** Why it did not become ready: its own last line, or how it ended. */
  async reason(): Promise<string> {
    const line = lastLogLine(this.log());
    if (line !== undefined) return line;
    return this.isRunning ? "it says nothing" : await this.ended;
  }
}

function spawnLogged({ program, args, folder, logPath, environment }: ServerCommand): ChildProcess {
  const log = openSync(logPath, "a");
  try {
    return spawn(program, args, {
      cwd: folder,
      detached: true,
      stdio: ["ignore", log, log],
      env: { ...process.env, ...environment },
    });
  } finally {
    closeSync(log);
  }
}

function howItEnds(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      // A signal that could not be sent is an error too; the process is then on its way out by itself.
      if (child.pid === undefined) resolve(error.message);
    });
    child.once("exit", (code, signal) => {
      resolve(signal === null ? `it ended with exit code ${code ?? 0}` : `it was ended by ${signal}`);
    });
  });
}
