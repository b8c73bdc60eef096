/**
 * S50. Five entries of the configuration are five databases of one server, or five servers on one host. One crash is
 * five: every node forgets at the same time, and no quorum, not even of all five, survives that.
 *
 * Independence is what a quorum is made of. Short of that, only what a single node needs too helps: an append-only
 * file, or a restart that is delayed.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { downTimeMs } from "../../harness/scenario/down-time.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, appliedEvents, at, granted, inOrder } from "../../harness/scenario/story-parts.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { lateWriterCast } from "../late-writer-cast.ts";
import { BOTH_BELIEVE_FENCED } from "../usual-variants.ts";

const CRASH_AFTER_MS = 50;
const RIVAL_AFTER_MS = 10;
const HOLDER_WORK_SHARE = 0.7;

const TTL_MIN_MS = 600;

function oneProcessStory(settings: LabSettings): Story {
  requireTtl(settings, "S50", TTL_MIN_MS);
  const { ttlMs, nodeCount } = settings;
  const downMs = downTimeMs(settings);
  const crashes = nodeNames(nodeCount).map(
    (node): PlannedFault => ({
      id: `crash-${node.toLowerCase()}`,
      when: after(granted("W1"), CRASH_AFTER_MS),
      fault: { kind: "crash-node", node, downForMs: downMs },
    }),
  );

  return {
    workers: lateWriterCast(settings, {
      holderStart: at(0),
      workShare: HOLDER_WORK_SHARE,
      rivalStart: after(granted("W1"), CRASH_AFTER_MS + settings.restartAfterMs + RIVAL_AFTER_MS),
      rivalWaitsLongerMs: downMs,
    }),
    faults: crashes,
    staging: [inOrder({ kind: "acquire-invoked", worker: "W2" }, { kind: "write-invoked", worker: "W1" })],
    demands: {
      contention: true,
      events: [...appliedEvents(crashes), granted("W1"), granted("W2")],
    },
    limitMs: 5 * ttlMs + 2 * downMs + 3000,
  };
}

const ALL_FORGOTTEN = {
  declared: "invalid",
  actual: "invalid",
  danger: "invalid",
  stale: "invalid",
} as const;

export const oneProcessForAll = defineScenario({
  id: "S50",
  title: "Five nodes that are one process",
  summary: "W1 holds the lock on all five nodes. They crash together, come back empty, and W2 acquires.",
  aliases: [
    { name: "one-server-five-databases", source: "redlock-toolkit, CODE_AUDIT.md: examples on one Redis" },
  ],
  story: oneProcessStory,
  variants: [
    { name: "plain", summary: "All forget at once: both believe.", expect: ALL_FORGOTTEN },
    {
      name: "quorum-5",
      summary: "Not even all five votes help.",
      settings: { quorum: 5 },
      expect: ALL_FORGOTTEN,
    },
    {
      name: "aof-always",
      summary: "The nodes find their keys again in their append-only files.",
      settings: { persistence: "aof-always" },
      expect: {},
    },
    {
      name: "delayed-restart",
      summary: "The nodes stay away until every lock of before has expired.",
      settings: { delayedRestart: true },
      expect: {},
    },
    BOTH_BELIEVE_FENCED,
  ],
});
