/**
 * What one node answered to one command.
 *
 * `unknown` is not a kind of refusal: the command may have run, so an acquire that ends this way still
 * has to be undone (design rule 2). A node that has not answered yet has no reply at all.
 */
export type NodeReply =
  /** Acquired, extended, or deleted. */
  | { readonly kind: "granted" }
  | { readonly kind: "refused"; readonly reason: RefusalReason }
  /**
   * No usable answer will come. `mayHaveRun` is false where the command was never sent, or the server itself
   * refused it; true where the connection broke under it: it may still run later.
   */
  | { readonly kind: "unknown"; readonly cause: string; readonly mayHaveRun: boolean };

/**
 * - `held`: acquire found the resource taken.
 * - `missing`: extend or delete found no key.
 * - `foreign`: extend or delete found somebody else's value.
 */
export type RefusalReason = "held" | "missing" | "foreign";

export const GRANTED: NodeReply = { kind: "granted" };
export const HELD: NodeReply = { kind: "refused", reason: "held" };
export const MISSING: NodeReply = { kind: "refused", reason: "missing" };
export const FOREIGN: NodeReply = { kind: "refused", reason: "foreign" };
