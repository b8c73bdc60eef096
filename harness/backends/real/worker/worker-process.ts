/** The lab's end of one worker process. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { WorkerEvent, WorkerId } from "../../../history/event.ts";
import { InfrastructureError } from "../../../lab-error.ts";
import { jsonLine, onJsonLine } from "../json-lines.ts";
import { compiledFile } from "../package-files.ts";
import { type ProcessLedger, RUN_LABEL } from "../process-ledger.ts";
import { isWorkerMessage, type WorkerGo, type WorkerInit } from "./worker-protocol.ts";

const ENTRY = "harness/backends/real/worker/worker-main.ts";
const READY_TIMEOUT_MS = 20_000;
const STDERR_KEPT_CHARS = 2000;

export interface WorkerProcessOptions {
  readonly init: WorkerInit;
  readonly runLabel: string;
  readonly ledger: ProcessLedger;
  readonly onEvent: (event: WorkerEvent, atMs: number) => void;
  /** The worker cannot go on: a fault of the lab, never of the story. */
  readonly onFault: (sentence: string) => void;
}

export class WorkerProcess {
  readonly id: WorkerId;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #exited: Promise<void>;
  readonly #ready: Promise<void>;
  #isStopped = false;
  #isEnding = false;
  #stderr = "";

  constructor(options: WorkerProcessOptions) {
    const { init, ledger } = options;
    this.id = init.plan.id;
    // A process group of its own: a terminal's Ctrl-C is for the lab, which stops its workers itself.
    this.#child = spawn(process.execPath, [compiledFile(ENTRY)], {
      detached: true,
      stdio: ["pipe", "ignore", "pipe", "pipe"],
      env: { ...process.env, [RUN_LABEL]: options.runLabel },
    });
    // A process that cannot be made has no number, which is looked at next; a signal that cannot be sent is late.
    this.#child.on("error", () => undefined);
    const [input, , errors, events] = this.#child.stdio;
    if (this.#child.pid === undefined || !isWritable(input) || !isReadable(errors) || !isReadable(events)) {
      throw new InfrastructureError(
        `Worker ${this.id} could not be started: ${process.execPath} does not run.`,
      );
    }
    this.pid = this.#child.pid;
    this.#input = input;
    // A worker that has been killed no longer reads; that is no news.
    input.on("error", () => undefined);
    errors.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT_CHARS);
    });
    const { pid } = this;
    ledger.watchProcess(pid);
    this.#exited = new Promise((resolve) => {
      this.#child.once("close", () => {
        ledger.forgetProcess(pid);
        resolve();
      });
    });
    this.#ready = this.#listen(events, options);
    input.write(jsonLine(init));
  }

  /** Resolves when every node has answered this worker. @throws InfrastructureError */
  ready(): Promise<void> {
    return this.#ready;
  }

  go(originNs: bigint): void {
    const message: WorkerGo = { kind: "go", originNs: originNs.toString() };
    this.#input.write(jsonLine(message));
  }

  pause(): void {
    this.#isStopped = this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#isStopped = false;
    this.#child.kill("SIGCONT");
  }

  /** Kills the process at once and resolves when all it had written has been read. */
  async kill(): Promise<void> {
    this.#isEnding = true;
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  /** Lets the process leave by itself; one that stands still, or does not leave, is killed. */
  async end(graceMs: number): Promise<void> {
    this.#isEnding = true;
    if (this.#isStopped) {
      await this.kill();
      return;
    }
    this.#input.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), graceMs);
    await this.#exited;
    clearTimeout(timer);
  }

  #listen(events: Readable, { onEvent, onFault }: WorkerProcessOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        const sentence = `Worker ${this.id} failed: ${why}.`;
        reject(new InfrastructureError(sentence));
        onFault(sentence);
      };
      const timer = setTimeout(() => fail("it was not ready in time"), READY_TIMEOUT_MS);
      onJsonLine(events, (message) => {
        if (!isWorkerMessage(message)) return;
        if (message.kind === "event") onEvent(message.event, message.atMs);
        else clearTimeout(timer);
        if (message.kind === "ready") resolve();
        if (message.kind === "fault") fail(message.sentence);
      });
      void this.#exited.then(() => {
        clearTimeout(timer);
        if (!this.#isEnding) fail(`it ended by itself${lastLine(this.#stderr)}`);
      });
    });
  }
}

function lastLine(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? "";
  return line === "" ? "" : ` (${line})`;
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === "object" && stream !== null && "read" in stream;
}

function isWritable(stream: unknown): stream is Writable {
  return typeof stream === "object" && stream !== null && "write" in stream;
}
