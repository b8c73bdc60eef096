/** The parent's side of a subject's process. */
import { type ChildProcess, fork } from "node:child_process";
import { compiledFile } from "../../harness/backends/real/package-files.ts";
import type { SubjectName } from "./subject.ts";
import type { SubjectSpec } from "./subjects/open-subject.ts";
import type { Answer, Question, TaskKind, Tasks } from "./tasks/task.ts";

const ENTRY = "bench/coordinator/subject-main.ts";
/** Some libraries never settle where a node is silent. */
const ANSWER_LIMIT_MS = 60_000;

/** A subject in a process of its own: its garbage, its compiled code and its processor time are its own. */
export class SubjectProcess {
  readonly name: SubjectName;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(name: SubjectName, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    child.on("message", (answer: Answer) => {
      this.#settle(answer);
    });
    child.on("exit", () => {
      for (const id of this.#waiting.keys()) this.#settle({ id, failure: `${name} has ended` });
    });
  }

  /** Resolves when it has its connections. */
  static async start(spec: SubjectSpec): Promise<SubjectProcess> {
    const child = fork(compiledFile(ENTRY), [], { execArgv: ["--expose-gc"] });
    const subject = new SubjectProcess(spec.name, child);
    child.send(spec);
    try {
      const { failure } = await subject.#answerTo(0);
      if (failure !== undefined) throw new Error(failure);
    } catch (error) {
      subject.close();
      throw error;
    }
    return subject;
  }

  /** @throws Error when it fails, ends, or does not answer in a minute. */
  async ask<Kind extends TaskKind>(kind: Kind, ask: Tasks[Kind]["ask"]): Promise<Tasks[Kind]["result"]> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#child.send({ id, kind, ask } satisfies Question);
    const { result, failure } = await this.#answerTo(id);
    if (result === undefined) throw new Error(`${this.name}: ${failure ?? "no result"}`);
    // The answer to this question is of its kind: both ends are this program.
    return result;
  }

  close(): void {
    this.#child.kill("SIGKILL");
  }

  #answerTo(id: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${this.name} did not settle within ${ANSWER_LIMIT_MS} ms`));
      }, ANSWER_LIMIT_MS);
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
