/** What a subject's process is asked to measure, and what comes of it. */

export interface Tasks {
  /** One acquire and release after the other. */
  readonly sequential: { readonly ask: { readonly opCount: number }; readonly result: LatencyResult };
  /** So many at once, each followed by the next. */
  readonly load: {
    readonly ask: { readonly concurrency: number; readonly durationMs: number };
    readonly result: LoadResult;
  };
  /** They arrive at a rate, whether the ones before have ended or not. */
  readonly "open-loop": {
    readonly ask: { readonly ratePerS: number; readonly durationMs: number };
    readonly result: OpenLoopResult;
  };
  /** All want the same resource. */
  readonly contend: {
    readonly ask: {
      readonly resource: string;
      readonly contenderCount: number;
      readonly durationMs: number;
      readonly holdMs: number;
    };
    readonly result: { readonly grantCounts: readonly number[] };
  };
  /** The time until an acquire is refused. */
  readonly fail: { readonly ask: { readonly attemptCount: number }; readonly result: FailResult };
  /** The heap after a collection, looked at again and again while many locks come and go. */
  readonly memory: {
    readonly ask: { readonly opCount: number; readonly sampleCount: number; readonly concurrency: number };
    readonly result: { readonly heapMb: readonly number[]; readonly failedCount: number };
  };
}

/** Of acquires, or of an acquire and its release. */
export interface LatencyResult {
  readonly opP50Ms: number;
  readonly opP99Ms: number;
  readonly acquireP50Ms: number;
  readonly acquireP99Ms: number;
  readonly cpuPerOpUs: number;
}

export interface LoadResult {
  readonly opsPerS: number;
  readonly cpuPerOpUs: number;
}

export interface OpenLoopResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Arrived while too many were on their way, or failed. */
  readonly droppedCount: number;
}

export interface FailResult {
  /** How long each attempt took. */
  readonly tookMs: readonly number[];
  readonly grantedCount: number;
}

export type TaskKind = keyof Tasks;

/** A question to a subject's process, and the answer to it. */
export interface Question {
  readonly id: number;
  readonly kind: TaskKind;
  readonly ask: Tasks[TaskKind]["ask"];
}

export interface Answer {
  /** That of the question; 0 for the order to open, `CRASHED_ID` where nobody has asked. */
  readonly id: number;
  readonly result?: Tasks[TaskKind]["result"];
  /** Why there is none. */
  readonly failure?: string;
}

/** The process is about to end: something in it threw, and nobody caught it. */
export const CRASHED_ID = -1;
