/** What one worker does, as data: the same plan runs on every backend. */
import type { Trigger } from "../faults/trigger.ts";
import type { NodeName, WorkerId } from "../history/event.ts";

export interface WorkerPlan {
  readonly id: WorkerId;
  readonly startWhen: Trigger;
  readonly resource: string;
  readonly ttlMs: number;
  /** How long one acquire may go on trying; 0 is one attempt. */
  readonly waitMs: number;
  /** How many acquires in a row are tried, whatever becomes of them; at least 1. */
  readonly acquireCount: number;
  /** Pause between the end of one cycle and the next acquire. */
  readonly idleMs: number;
  /** Stop after this many grants; 0: go through all `acquireCount`. */
  readonly grantsMax: number;
  /** Time in the critical section before the write. */
  readonly workMs: number;
  /** Look at `remainingMs()` right before the write, and do not write when it is 0. */
  readonly checkBeforeWrite: boolean;
  /** Time in the critical section after the write. */
  readonly lingerMs: number;
  /** Extend the lock to this TTL after `workMs` and before the write; 0: no extension. */
  readonly extendMs: number;
  /** Extend the lock by itself while the section lasts, at a third of its lifetime. */
  readonly renews?: boolean;
  /** Renewal ends this long after the grant; without it, it goes on as long as the section does. */
  readonly maxHoldMs?: number;
  /** While acquires and grants are left it does not release: the next acquire waits in line and is handed the lock. */
  readonly handsOver?: boolean;
  /** Read the resource on entering the section; the write then builds on what was read. */
  readonly readsFirst?: boolean;
  /** Stamp the resource with its token on entering, and write only where the stamp is still there (S42). */
  readonly stampsFirst?: boolean;
  /** Before the write, ask a replica of a node whether the key is still there, not the deadline (S47). */
  readonly checksReplica?: boolean;
  /** The nodes that this worker was configured with, where others have more or fewer (S49); a majority of them wins. */
  readonly membership?: readonly NodeName[];
}

export const WORKER_DEFAULTS = {
  resource: "orders",
  waitMs: 0,
  acquireCount: 1,
  idleMs: 20,
  grantsMax: 1,
  workMs: 50,
  checkBeforeWrite: false,
  lingerMs: 0,
  extendMs: 0,
} as const satisfies Partial<WorkerPlan>;
