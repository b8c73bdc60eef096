/** What a node says of itself when it is asked at the start; nothing of it decides a vote. */

/** How the membership names the node. */
export type GivenAs = "server" | "socket" | "sentinel" | "cluster";

/** What the node does not tell is `undefined`. */
export interface NodeFacts {
  readonly givenAs: GivenAs;
  /** Of the server's process: the same one under two addresses has the same. */
  readonly runId: string | undefined;
  readonly mode: "standalone" | "cluster" | "sentinel" | undefined;
  readonly role: "master" | "replica" | undefined;
  /** `redis 7.0.15`, `valkey 8.1.0`. */
  readonly version: string | undefined;
  readonly evictionPolicy: string | undefined;
  /** The settings by which it keeps its data, as one text to be compared. */
  readonly persistence: string | undefined;
  /** Its wall clock less this process's monotonic clock, both in milliseconds. */
  readonly clock: { readonly offsetMs: number; readonly uncertaintyMs: number } | undefined;
  /** Commands that it does not answer to this user. */
  readonly denied: readonly string[];
}

export type NodeReport =
  | { readonly kind: "told"; readonly node: string; readonly facts: NodeFacts }
  /** It could not be asked in time. */
  | { readonly kind: "unreached"; readonly node: string; readonly cause: string };
