/**
 * - `replica`, `same-server`, `cluster-server`, `sentinel`: it is no independent master, so no lock is safe on it.
 * - `even-count`: one node more than is of use.
 * - `eviction`: keys of locks may be evicted.
 * - `different-settings`: the nodes differ in persistence, eviction policy or version.
 * - `clock-difference`: a wall clock is far from the others.
 * - `denied`: the node does not say, so nothing is known of what is missing.
 * - `unreached`: it could not be asked in time.
 */
export type FindingCode =
  | "replica"
  | "same-server"
  | "cluster-server"
  | "sentinel"
  | "even-count"
  | "eviction"
  | "different-settings"
  | "clock-difference"
  | "denied"
  | "unreached";

/** Something about the membership that is not as it should be. */
export interface Finding {
  readonly code: FindingCode;
  /** `refusal`: no lock is given on such nodes. */
  readonly severity: "refusal" | "warning";
  /** Names of the nodes that it is about, in the order of the membership; none: all of them together. */
  readonly nodes: readonly string[];
  /** One sentence without a full stop that says what to do. */
  readonly message: string;
}
