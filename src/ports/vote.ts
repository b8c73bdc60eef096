import type { Granting, Refusal } from "./reply.ts";

/**
 * One node's vote in a round, as the caller sees it. `roundTripMs` is the time from the send to the
 * reply on the caller's monotonic clock; it is absent while the node is silent.
 */
export type Vote =
  /** With `guardedBy: "process"` where the node cannot guard itself. */
  | (Granting & { readonly node: string; readonly roundTripMs: number })
  /** With `leftMs` where the node is quarantined, and `found` where it is guarded for others. */
  | (Refusal & { readonly node: string; readonly roundTripMs: number })
  | {
      readonly node: string;
      readonly kind: "unknown";
      readonly cause: string;
      readonly roundTripMs?: number;
    };
