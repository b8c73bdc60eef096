/**
 * S18. A deploy restarts the nodes one after the other while somebody holds a lock. Never is more than one node away,
 * and every one of them comes back empty: when a quorum has had its turn, the lock is gone from a quorum.
 *
 * Times with a TTL of 3000 ms, which leaves a real machine time for three restarts: 0 W1 is granted by all five; 300 A,
 * 1050 B and 1800 C are restarted, each back after 70; 1880 W2 is granted by A, B and C and writes at 1930; 2700 W1
 * writes. Both believe from 1880 until W1 lets go.
 *
 * Ways out: nodes that find their keys again, a restart that is delayed until every lock of before has expired, or the
 * restart guard, under which a restarted node casts no vote until then.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { downTimeMs } from "../../harness/scenario/down-time.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, at, granted, inOrder } from "../../harness/scenario/story-parts.ts";
import { lateWriterCast } from "../late-writer-cast.ts";
import { GUARDED } from "../usual-variants.ts";

const FIRST_SHARE = 0.1;
const LAST_SHARE = 0.6;
const RIVAL_AFTER_MS = 10;
const HOLDER_WORK_SHARE = 0.9;
/** The last node is back, and W2 has been granted and has written, within W1's lifetime. */
const TTL_MIN_MS = 800;
const TTL_MS = 3000;

function rollingRestartStory(settings: LabSettings): Story {
  requireTtl(settings, "S18", TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs, restartAfterMs } = settings;
  const restarted = nodeNames(nodeCount).slice(0, quorum);
  const last = restarted[quorum - 1] ?? "A";
  const stepShare = (LAST_SHARE - FIRST_SHARE) / Math.max(1, quorum - 1);
  return {
    workers: lateWriterCast(settings, {
      holderStart: at(0),
      workShare: HOLDER_WORK_SHARE,
      // When a bare restart is over; with a delayed one the node is still away then.
      rivalStart: after({ kind: "node-down", node: last }, restartAfterMs + RIVAL_AFTER_MS),
      rivalWaitsLongerMs: downTimeMs(settings),
    }),
    faults: restarted.map((node, index) => ({
      id: `restart-${node.toLowerCase()}`,
      when: after(granted("W1"), Math.round(ttlMs * (FIRST_SHARE + index * stepShare))),
      fault: { kind: "crash-node", node, downForMs: downTimeMs(settings) },
    })),
    staging: [inOrder({ kind: "acquire-invoked", worker: "W2" }, { kind: "write-invoked", worker: "W1" })],
    demands: {
      contention: true,
      events: [
        ...restarted.map((node) => ({ kind: "node-down", node }) as const),
        granted("W1"),
        granted("W2"),
      ],
    },
    limitMs: 6 * ttlMs + 2 * downTimeMs(settings) + 3000,
  };
}

export const rollingRestart = defineScenario({
  id: "S18",
  title: "Rolling restart without persistence",
  summary:
    "W1 holds the lock on all nodes. A deploy restarts A, B and C in turn, each comes back empty, and W2 acquires there.",
  settings: { ttlMs: TTL_MS },
  story: rollingRestartStory,
  variants: [
    {
      name: "plain",
      summary: "Three restarts in one lifetime: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "aof-always",
      summary: "Each node finds its key again in its append-only file.",
      settings: { persistence: "aof-always" },
      expect: {},
    },
    GUARDED,
    {
      name: "delayed-restart",
      summary: "Each node stays away until every lock of before has expired.",
      settings: { delayedRestart: true },
      expect: {},
    },
  ],
});
