/**
 * When something starts: at a time of the run, or some time after an event. Stories use events wherever they
 * can, because "when W1 has acquired" is true on every machine and "at 5 ms" on none.
 */
import type { Effect } from "../../src/ports/effect.ts";
import type { WorkerId } from "../history/event.ts";
import type { EventPattern } from "./event-pattern.ts";

/** What a worker is about to do: an effect of its coordinator, or the return of a call from it. */
export type Step = Effect["kind"] | "return";

export type Trigger =
  /** Milliseconds since the start of the run, at least 0. */
  | { readonly kind: "at"; readonly atMs: number }
  /** `delayMs` (default 0) after the `nth` (default 1) event that matches. */
  | {
      readonly kind: "after";
      readonly event: EventPattern;
      readonly nth?: number;
      readonly delayMs?: number;
    }
  /**
   * Right before the worker takes its `nth` (default 1) step of that kind: between any two steps of the algorithm,
   * or between the last one and the return. Only where processes are simulated.
   */
  | {
      readonly kind: "before-effect";
      readonly worker: WorkerId;
      readonly effect: Step;
      readonly nth?: number;
    };
