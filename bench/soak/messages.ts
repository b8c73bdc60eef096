/** What the soak and its workers say to each other. */

export interface WorkerSpec {
  readonly urls: readonly string[];
  readonly seed: string;
  readonly laneCount: number;
}

/** `round`: lock and unlock until `rest` is said. `rest`: settle, and say how it stands. `end`: close. */
export type Order =
  | { readonly kind: "open"; readonly spec: WorkerSpec }
  | { readonly kind: "round" }
  | { readonly kind: "rest" }
  | { readonly kind: "end" };

export type Word =
  | { readonly kind: "opened" }
  | { readonly kind: "rested"; readonly rest: Rest }
  | { readonly kind: "ended"; readonly ended: Ended };

/** How a worker stands when nobody of it wants anything. */
export interface Rest {
  readonly heapMb: number;
  readonly orphanCount: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** What must never happen, in sentences. */
  readonly defects: readonly string[];
}

/** What is left of a worker that has closed everything. */
export interface Ended {
  /** Timers, sockets, …: all that keeps a process alive but the line to its parent. */
  readonly resources: readonly string[];
  readonly defects: readonly string[];
}
