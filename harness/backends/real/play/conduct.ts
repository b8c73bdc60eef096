/**
 * Plays a story on a stage that stands: tells the director every event, and has done what is due. Events bring
 * actions at once; a timer brings those that wait for a time.
 */
import { type Action, Director } from "../../../faults/director.ts";
import type { HistoryEvent } from "../../../history/event.ts";
import { InterruptedError } from "../../../lab-error.ts";
import type { RunPlan } from "../../../scenario/run-plan.ts";

export interface ConductOptions {
  readonly plan: RunPlan;
  readonly nowMs: () => number;
  /** Performs one action; rejects with an InfrastructureError when it cannot. */
  readonly perform: (action: Action) => Promise<void>;
  readonly signal: AbortSignal;
}

export class Conductor {
  readonly #options: ConductOptions;
  readonly #director: Director;
  readonly #performing = new Set<Promise<void>>();
  #failure: Error | undefined;
  #end:
    | { readonly resolve: (cause: "done" | "limit") => void; readonly reject: (reason: unknown) => void }
    | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConductOptions) {
    this.#options = options;
    this.#director = new Director(options.plan);
  }

  observe(event: HistoryEvent): void {
    this.#director.observe(event);
    if (this.#end !== undefined) this.#step();
  }

  /** Ends the story because something outside it broke. */
  fail(reason: Error): void {
    this.#end?.reject(reason);
  }

  /**
   * Resolves when the story is over, or its time limit has come.
   *
   * @throws InfrastructureError when an action could not be performed, InterruptedError when it was aborted.
   */
  async play(): Promise<"done" | "limit"> {
    const { signal } = this.#options;
    const interrupt = (): void => this.fail(new InterruptedError("The run was interrupted."));
    signal.addEventListener("abort", interrupt, { once: true });
    try {
      const cause = await new Promise<"done" | "limit">((resolve, reject) => {
        this.#end = { resolve, reject };
        if (signal.aborted) interrupt();
        else this.#step();
      });
      await this.#finish();
      // An action may fail when everything else is over; the story was not what it was to be all the same.
      if (this.#failure !== undefined) throw this.#failure;
      return cause;
    } finally {
      await this.#finish();
      signal.removeEventListener("abort", interrupt);
    }
  }

  /** What is half done is finished before the stage is cleared. */
  async #finish(): Promise<void> {
    this.#end = undefined;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#performing);
  }

  #step(): void {
    const { plan, nowMs } = this.#options;
    for (const action of this.#director.due(nowMs())) this.#perform(action);
    if (this.#director.isStoryOver(nowMs())) this.#end?.resolve("done");
    else if (nowMs() >= plan.limitMs) this.#end?.resolve("limit");
    else this.#wake(Math.min(this.#director.nextDueMs() ?? plan.limitMs, plan.limitMs));
  }

  #perform(action: Action): void {
    const done = this.#options.perform(action).catch((reason: unknown) => {
      this.#failure ??= reason instanceof Error ? reason : new Error(String(reason));
      this.#end?.reject(this.#failure);
    });
    this.#performing.add(done);
    void done.finally(() => this.#performing.delete(done));
  }

  #wake(atMs: number): void {
    clearTimeout(this.#timer);
    const delayMs = Math.max(0, atMs - this.#options.nowMs());
    this.#timer = setTimeout(() => {
      if (this.#end !== undefined) this.#step();
    }, Math.ceil(delayMs));
  }
}
