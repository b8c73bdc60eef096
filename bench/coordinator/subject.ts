/** A way to lock five nodes, as the benchmark sees it: ours, a floor, or somebody else's. */

export interface Subject {
  /** Resolves with how it is given back; rejects when it is not granted. */
  acquire(resource: string, ttlMs: number): Promise<GiveBack>;
  close(): unknown;
}

export type GiveBack = () => Promise<unknown>;

/** One attempt, or as many as it takes with pauses in between. */
export type Retry = false | { readonly delayMs: number; readonly jitterMs: number };

/** What nobody can beat who uses ioredis that way. */
export type FloorName = "raw" | "raw-corked" | "raw-batched";
/** With the restart guard off, like for like, and on, as it is shipped. */
export type OurName = "ours" | "ours-guarded";
export const PEER_NAMES = [
  "redlock-4",
  "redlock-5",
  "sesamecare",
  "redlock-universal",
  "redis-semaphore",
  "redis-kit",
] as const;

export type PeerName = (typeof PEER_NAMES)[number];
export type SubjectName = FloorName | OurName | PeerName;
