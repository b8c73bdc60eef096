/** The parent's side of a worker. */
import { type ChildProcess, fork } from "node:child_process";
import { compiledFile } from "../../harness/backends/real/package-files.ts";
import type { Ended, Order, Rest, Word, WorkerSpec } from "./messages.ts";

const ENTRY = "bench/soak/worker-main.ts";
const ANSWER_LIMIT_MS = 40_000;
const EXIT_LIMIT_MS = 5_000;

export class WorkerProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(spec: WorkerSpec): Promise<WorkerProcess> {
    const worker = new WorkerProcess(fork(compiledFile(ENTRY), [], { execArgv: ["--expose-gc"] }));
    await worker.#say({ kind: "open", spec }, "opened");
    return worker;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  startRound(): void {
    this.#child.send({ kind: "round" } satisfies Order);
  }

  /** @throws Error when it does not come to rest, or has ended. */
  async rest(): Promise<Rest> {
    return (await this.#say({ kind: "rest" }, "rested")).rest;
  }

  /** Closes the coordinator and lets go of the process: one that stays then is held up by something that is left. */
  async end(): Promise<Ended> {
    const { ended } = await this.#say({ kind: "end" }, "ended");
    const gone = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), EXIT_LIMIT_MS);
      this.#child.once("exit", () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
    this.#child.disconnect();
    return (await gone) ? ended : { ...ended, defects: [...ended.defects, "a worker's process did not end"] };
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #say<Kind extends Word["kind"]>(order: Order, kind: Kind): Promise<Extract<Word, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        settle();
        reject(new Error(`a worker ${why} when it was told to ${order.kind}`));
      };
      const onExit = (): void => fail("ended");
      const onMessage = (word: Word): void => {
        if (!isOfKind(word, kind)) return;
        settle();
        resolve(word);
      };
      const timer = setTimeout(() => fail(`said nothing for ${ANSWER_LIMIT_MS} ms`), ANSWER_LIMIT_MS);
      const settle = (): void => {
        clearTimeout(timer);
        this.#child.off("message", onMessage).off("exit", onExit);
      };
      this.#child.on("message", onMessage).on("exit", onExit);
      this.#child.send(order);
    });
  }
}

function isOfKind<Kind extends Word["kind"]>(word: Word, kind: Kind): word is Extract<Word, { kind: Kind }> {
  return word.kind === kind;
}
