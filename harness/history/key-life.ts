/** One life of a key on a node: the span of true time in which the node would have shown it, and its end. */
import type { NodeName } from "./event.ts";

export type LifeEnd =
  | { readonly kind: "expired" }
  /** Expired early because the node's wall clock was stepped forward by so much. */
  | { readonly kind: "expired-by-jump"; readonly byMs: number }
  /** Expired early because the node's wall clock ran at this rate. */
  | { readonly kind: "expired-by-rate"; readonly rate: number }
  | { readonly kind: "node-down"; readonly cause: "killed" | "power-loss" }
  /** `claimedValue`: the value that the command named, if it named one. */
  | { readonly kind: "deleted"; readonly claimedValue: string | undefined }
  | { readonly kind: "flushed" | "evicted" }
  /** `remainingMs`: how long the overwritten key had left on the node's clock; `Infinity` without expiry. */
  | { readonly kind: "overwritten"; readonly byValue: string; readonly remainingMs: number }
  /** The run ended first. */
  | { readonly kind: "still-there" };

export interface KeyLife {
  readonly node: NodeName;
  readonly resource: string;
  readonly value: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly end: LifeEnd;
  /** The events that made and ended it; an expiry is no event. */
  readonly seqs: readonly number[];
}

/** Names a key of a node and a value: what lives and votes are looked up by. */
export function keyOf(node: NodeName, resource: string, value: string): string {
  // With their lengths, so that no two triples have one name.
  return `${node.length} ${resource.length} ${node}${resource}${value}`;
}
