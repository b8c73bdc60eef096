/**
 * The laboratory's end of the supervisor: tells it what has to be gone when the laboratory is. One supervisor
 * serves all runs of a laboratory process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { InfrastructureError } from "../../../lab-error.ts";
import { jsonLine } from "../json-lines.ts";
import { compiledFile } from "../package-files.ts";
import { type ProcessLedger, RUN_LABEL } from "../process-ledger.ts";
import { processStartTime } from "./process-identity.ts";
import type { SupervisorMessage } from "./supervised.ts";

const ENTRY = "harness/backends/real/supervisor/supervisor-main.ts";
const READY_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 10_000;

export class Supervisor implements ProcessLedger {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess, { pid, input }: { pid: number; input: Writable }) {
    this.pid = pid;
    this.#child = child;
    this.#input = input;
    this.#ended = new Promise((resolve) => child.once("exit", () => resolve()));
    // It does not hold the laboratory back: its whole work begins when that has ended.
    child.unref();
    if (input instanceof Socket) input.unref();
    // A supervisor that somebody killed cannot be told anything; the laboratory still cleans up by itself.
    input.on("error", () => undefined);
  }

  /** @throws InfrastructureError when it cannot be started. */
  static async start(): Promise<Supervisor> {
    const child = spawn(process.execPath, [compiledFile(ENTRY)], {
      detached: true,
      cwd: "/",
      stdio: ["pipe", "pipe", "ignore"],
      env: ownEnvironment(),
    });
    const { pid, stdin, stdout } = child;
    const sentence = await whyNotReady(child, stdout);
    stdout.destroy();
    if (sentence === undefined && pid !== undefined) return new Supervisor(child, { pid, input: stdin });
    child.kill("SIGKILL");
    throw new InfrastructureError(`The supervisor did not start: ${sentence ?? "it has no process"}.`);
  }

  readonly watchProcess = (pid: number): void => {
    const startTime = processStartTime(pid);
    // Without a start time it has ended already.
    if (startTime !== undefined) this.#tell({ kind: "process", pid, startTime });
  };

  readonly forgetProcess = (pid: number): void => {
    this.#tell({ kind: "process-ended", pid });
  };

  /** To be called before the first process with this label is started. */
  watchRun(label: string): void {
    this.#tell({ kind: "run", label });
  }

  forgetRun(label: string): void {
    this.#tell({ kind: "run-ended", label });
  }

  /** To be called before the folder is made. */
  watchFolder(path: string): void {
    this.#tell({ kind: "folder", path });
  }

  forgetFolder(path: string): void {
    this.#tell({ kind: "folder-removed", path });
  }

  /** Lets it do its work at once and leave. Never rejects; harmless when repeated. */
  async close(): Promise<void> {
    this.#child.ref();
    this.#input.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), CLOSE_LIMIT_MS);
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.#ended;
    clearTimeout(timer);
  }

  #tell(message: SupervisorMessage): void {
    if (this.#input.writable) this.#input.write(jsonLine(message));
  }
}

/** A supervisor must not be found by the label of a laboratory that runs inside another one's run. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { [RUN_LABEL]: _label, ...environment } = process.env;
  return environment;
}

/** A clause that says why it is not ready; `undefined` once it is. */
function whyNotReady(child: ChildProcess, output: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`it was not ready within ${READY_LIMIT_MS} ms`), READY_LIMIT_MS);
    const settle = (sentence: string | undefined): void => {
      clearTimeout(timer);
      resolve(sentence);
    };
    output.once("data", () => settle(undefined));
    child.once("error", (error) => settle(error.message));
    child.once("exit", () => settle("it ended at once"));
  });
}
