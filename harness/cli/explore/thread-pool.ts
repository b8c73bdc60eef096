/** Threads that are given one task after the other. What they are given, and what is made of the answers, is the caller's. */
import { Worker } from "node:worker_threads";

export interface ThreadWork<Task, Answer> {
  /** A compiled file of this folder. */
  readonly file: string;
  readonly data: unknown;
  readonly threadCount: number;
  /** The next task; `undefined` where nothing is left. */
  readonly next: () => Task | undefined;
  /** @returns whether the thread has done with its task. */
  readonly take: (answer: Answer) => boolean;
  /** Ends all threads at once, whatever they are doing. */
  readonly stop?: AbortSignal;
}

/** @throws what a thread threw: a fault of ours. */
export async function runThreads<Task, Answer>(work: ThreadWork<Task, Answer>): Promise<void> {
  const threads = Array.from(
    { length: work.threadCount },
    () => new Worker(new URL(work.file, import.meta.url), { workerData: work.data }),
  );
  const end = (): Promise<unknown> => Promise.all(threads.map((thread) => thread.terminate()));
  const onStop = (): void => void end();
  work.stop?.addEventListener("abort", onStop);
  try {
    await Promise.all(threads.map((thread) => feed(thread, work)));
  } finally {
    work.stop?.removeEventListener("abort", onStop);
    await end();
  }
}

/** Resolves when nothing is left for the thread, or when it has been ended. */
function feed<Task, Answer>(thread: Worker, { next, take }: ThreadWork<Task, Answer>): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveNext = (): void => {
      const task = next();
      if (task === undefined) resolve();
      else thread.postMessage(task);
    };
    thread.on("message", (answer: Answer) => {
      if (take(answer)) giveNext();
    });
    thread.once("error", reject);
    thread.once("exit", () => resolve());
    giveNext();
  });
}
