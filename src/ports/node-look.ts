/** What a look at one resource's key shows on one node; nothing of it decides a vote. */
export type NodeLook =
  | {
      readonly kind: "found";
      readonly node: string;
      readonly value: string;
      /** Milliseconds until the node forgets it, by the node's clock; `undefined` where it never does. */
      readonly leftMs: number | undefined;
    }
  | { readonly kind: "missing"; readonly node: string }
  /** It could not be looked at in time, or holds what no lock is. */
  | { readonly kind: "unknown"; readonly node: string; readonly cause: string };
