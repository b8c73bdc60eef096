/**
 * When something starts: at a time of the run, or some time after an event. Stories use events wherever they
 * can, because "when W1 has acquired" is true on every machine and "at 5 ms" on none.
 */
import type { Effect } from "../../src/ports/effect.ts";
import type { WorkerId } from "../history/event.ts";
import type { EventPattern } from "./event-pattern.ts";

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
   * Right before the worker performs its `nth` (default 1) effect of that kind: between any two steps of the
   * algorithm. Only where processes are simulated.
   */
  | {
      readonly kind: "before-effect";
      readonly worker: WorkerId;
      readonly effect: Effect["kind"];
      readonly nth?: number;
    };
