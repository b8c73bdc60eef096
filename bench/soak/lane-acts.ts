/** What one caller of the coordinator does with a lock; which of it, is drawn. */
import { setTimeout as delay } from "node:timers/promises";
import type { RandomStream } from "../../harness/random/random-stream.ts";
import type { Lock, Redlock } from "../../src/index.ts";

export interface LaneWorld {
  readonly redlock: Redlock;
  /** For locks that are given back. */
  readonly ttlMs: number;
  readonly random: RandomStream;
  /** A name that nobody else uses. */
  readonly freshResource: () => string;
  /** One of a few names that everybody wants. */
  readonly wantedResource: () => string;
  /** To be told of every lock; says so when somebody else of this process believes in the same one. */
  readonly watch: (lock: Lock) => void;
}

const SHORT_TTL_MS = 150;
const HOLD_MAX_MS = 20;
const WAIT_MAX_MS = 500;

type Act = (world: LaneWorld) => Promise<void>;

/** By name; the name stands in the report. */
export const LANE_ACTS: Readonly<Record<string, Act>> = {
  "take and give back": async ({ ttlMs, redlock, random, freshResource, watch }) => {
    const lock = await redlock.acquire(freshResource(), ttlMs);
    watch(lock);
    await delay(random.below(HOLD_MAX_MS));
    await lock.release();
  },
  contend: async ({ ttlMs, redlock, random, wantedResource, watch }) => {
    const lock = await redlock.acquire(wantedResource(), ttlMs, { waitMs: random.below(WAIT_MAX_MS) });
    watch(lock);
    await delay(random.below(HOLD_MAX_MS));
    await lock.release();
  },
  try: async ({ ttlMs, redlock, wantedResource, watch }) => {
    const lock = await redlock.tryAcquire(wantedResource(), ttlMs);
    if (lock === undefined) return;
    watch(lock);
    await lock.release();
  },
  extend: async ({ ttlMs, redlock, random, freshResource, watch }) => {
    const lock = await redlock.acquire(freshResource(), ttlMs / 2);
    watch(lock);
    try {
      for (let count = random.below(4); count > 0; count--) await lock.extend(ttlMs);
    } finally {
      await lock.release();
    }
  },
  use: async ({ redlock, random, wantedResource, watch }) => {
    const options = { waitMs: random.below(WAIT_MAX_MS), maxHoldMs: 2 * SHORT_TTL_MS };
    await redlock.using(wantedResource(), SHORT_TTL_MS, options, async (signal, lock) => {
      watch(lock);
      await delay(random.below(2 * SHORT_TTL_MS), undefined, { signal });
    });
  },
  "give up": async ({ ttlMs, redlock, random, wantedResource, watch }) => {
    const signal = AbortSignal.timeout(random.below(WAIT_MAX_MS / 2));
    const lock = await redlock.acquire(wantedResource(), ttlMs, { waitMs: WAIT_MAX_MS, signal });
    watch(lock);
    await lock.release();
  },
  "run out": async ({ redlock, freshResource, watch }) => {
    const lock = await redlock.acquire(freshResource(), SHORT_TTL_MS);
    watch(lock);
    // A signal that has aborted by now tells nobody any more.
    if (!lock.signal.aborted) {
      await new Promise((resolve) => lock.signal.addEventListener("abort", resolve, { once: true }));
    }
    await lock.release();
  },
};
