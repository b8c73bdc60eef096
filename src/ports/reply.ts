/**
 * What one node answered to one command.
 *
 * `unknown` is not a kind of refusal: the command may have run, so an acquire that ends this way still
 * has to be undone (design rule 2). A node that has not answered yet has no reply at all.
 */
export type NodeReply =
  /** Acquired, extended, or deleted. */
  | Granting
  | Refusal
  /**
   * No usable answer will come. `mayHaveRun` is false where the command was never sent, or the server itself
   * refused it; true where the connection broke under it: it may still run later.
   */
  | { readonly kind: "unknown"; readonly cause: string; readonly mayHaveRun: boolean };

/** The server did what was asked. */
export interface Granting {
  readonly kind: "granted";
  /**
   * The node cannot guard itself for this client (design rule 8): the restart guard goes by what this process has seen
   * of the server, and would not have seen that somebody emptied it. Absent where it can, or where the guard is off.
   */
  readonly guardedBy?: "process";
}

/** The server ran the command, and did not do what it asks for. */
export type Refusal =
  | { readonly kind: "refused"; readonly reason: "held" | "missing" | "foreign" }
  | {
      readonly kind: "refused";
      readonly reason: "quarantined";
      /** How long the node still casts no vote, in milliseconds of its own clock. */
      readonly leftMs: number;
    }
  | {
      readonly kind: "refused";
      readonly reason: "mismatched";
      /** What the node's guard says instead, in words. */
      readonly found: string;
    };

/**
 * - `held`: acquire found the resource taken; survey and trust, the guard's place.
 * - `missing`: extend or delete found no key.
 * - `foreign`: extend or delete found somebody else's value.
 * - `quarantined`: the node may have forgotten, and does not vote yet (design rule 8).
 * - `mismatched`: the node is guarded for another membership or longest lifetime.
 */
export type RefusalReason = Refusal["reason"];

export const GRANTED: NodeReply = { kind: "granted" };
export const HELD: NodeReply = { kind: "refused", reason: "held" };
export const MISSING: NodeReply = { kind: "refused", reason: "missing" };
export const FOREIGN: NodeReply = { kind: "refused", reason: "foreign" };
