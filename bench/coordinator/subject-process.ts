/** The parent's side of a subject's process. */
import { type ChildProcess, fork } from "node:child_process";
import { compiledFile } from "../../harness/backends/real/package-files.ts";
import type { SubjectName } from "./subject.ts";
import type { SubjectSpec } from "./subjects/open-subject.ts";
import { type Answer, CRASHED_ID, type Question, type TaskKind, type Tasks } from "./tasks/task.ts";

const ENTRY = "bench/coordinator/subject-main.ts";
/** Some libraries never settle where a node is silent. */
const ANSWER_LIMIT_MS = 20_000;
/** What one is about to say of itself may be long. */
const FAILURE_LENGTH_MAX = 200;

/**
 * A subject in a process of its own: its garbage, its compiled code and its processor time are its own. It fails
 * once and for all: by then its process is gone.
 */
export class SubjectProcess {
  readonly name: SubjectName;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;
  #failure: string | undefined;
  #isClosed = false;

  private constructor(name: SubjectName, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    child.on("message", (answer: Answer) => {
      if (answer.id === CRASHED_ID) this.#fail(answer.failure ?? "it crashed");
      else this.#settle(answer);
    });
    child.on("error", (error) => {
      this.#fail(`its process failed: ${error.message}`);
    });
    child.on("exit", (code, signal) => {
      this.#fail(`its process ended (${signal ?? `exit code ${code ?? "unknown"}`})`);
    });
  }

  /** Resolves when it has its connections, or has failed. */
  static async start(spec: SubjectSpec): Promise<SubjectProcess> {
    const child = fork(compiledFile(ENTRY), [], {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const subject = new SubjectProcess(spec.name, child);
    child.send(spec);
    const { failure } = await subject.#answerTo(0, ANSWER_LIMIT_MS);
    if (failure !== undefined) subject.#fail(failure);
    return subject;
  }

  /** Why it cannot be measured; `undefined` while it can. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** As `failure`, for who has awaited something since the last look. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** @throws Error when it has failed, or fails: it ends, rejects, or does not answer in time. */
  async ask<Kind extends TaskKind>(
    kind: Kind,
    ask: Tasks[Kind]["ask"],
    limitMs = ANSWER_LIMIT_MS,
  ): Promise<Tasks[Kind]["result"]> {
    if (this.#failure !== undefined) throw this.#error();
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = this.#answerTo(id, limitMs);
    this.#child.send({ id, kind, ask } satisfies Question);
    const { result, failure } = await answer;
    if (result === undefined) {
      this.#fail(failure ?? "it gave no result");
      throw this.#error();
    }
    // The answer to this question is of its kind: both ends are this program.
    return result;
  }

  close(): void {
    this.#isClosed = true;
    this.#child.kill("SIGKILL");
  }

  #error(): Error {
    return new Error(`${this.name}: ${this.#failure ?? "it was closed"}`);
  }

  #fail(failure: string): void {
    if (!this.#isClosed) this.#failure ??= failure.slice(0, FAILURE_LENGTH_MAX);
    this.#child.kill("SIGKILL");
    for (const id of [...this.#waiting.keys()]) this.#settle({ id, failure });
  }

  #answerTo(id: number, limitMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#settle({ id, failure: `it did not settle within ${limitMs} ms` });
      }, limitMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }

  #settle(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
