/** What a node tells of itself between commands. */
export type NodeEvent =
  /** The connection ended, or could not be made. Told once, until it is back. */
  | { readonly kind: "node-away"; readonly node: string; readonly cause: string }
  /** Commands are sent again. */
  | { readonly kind: "node-back"; readonly node: string }
  /** The node may have forgotten, and casts no vote for so many milliseconds (design rule 8). */
  | { readonly kind: "node-quarantined"; readonly node: string; readonly leftMs: number }
  /** Something about the node is not as it should be, in one sentence. */
  | { readonly kind: "node-warning"; readonly node: string; readonly message: string };
