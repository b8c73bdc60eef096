/**
 * S25. A release that arrives late: the lock has expired meanwhile and somebody else has it. A delete that compares
 * finds a value that is not its own. One that does not compare takes the lock from W2, and W3 walks in.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 110 it releases, and its deletes take 1000 ms; 1010 W2 is granted;
 * 1112 the deletes arrive; 1130 W3 comes by, and W2 believes until 1998.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, at, planWorker } from "../../harness/scenario/story-parts.ts";

const HOLDER_WORK_MS = 100;
const RIVAL_AFTER_MS = 20;
/** W2 is asked for a second time if it came a little early. */
const RIVAL_WAIT_MS = 60;
/** W3 comes so long after W1's deletes have arrived. */
const THIRD_AFTER_MS = 20;
/** W2 writes last, long after W3 has had the time to be granted and to write. */
const RIVAL_WORK_SHARE = 0.6;
/** W3 still believes then. */
const THIRD_LINGER_SHARE = 0.6;
const TTL_MIN_MS = 600;

function lateReleaseStory(settings: LabSettings): Story {
  requireTtl(settings, "S25", TTL_MIN_MS);
  const { nodeCount, ttlMs } = settings;
  const granted = { kind: "acquire-granted", worker: "W1" } as const;
  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: HOLDER_WORK_MS }),
      planWorker("W2", settings, {
        startWhen: after(granted, ttlMs + RIVAL_AFTER_MS),
        waitMs: RIVAL_WAIT_MS,
        workMs: Math.round(ttlMs * RIVAL_WORK_SHARE),
      }),
      planWorker("W3", settings, {
        startWhen: after({ kind: "release-invoked", worker: "W1" }, ttlMs + THIRD_AFTER_MS),
        waitMs: 2 * ttlMs,
        lingerMs: Math.round(ttlMs * THIRD_LINGER_SHARE),
      }),
    ],
    faults: [
      {
        id: "slow-release",
        when: after(granted),
        fault: {
          kind: "slow-link",
          workers: ["W1"],
          nodes: nodeNames(nodeCount),
          direction: "request",
          latencyMs: ttlMs,
        },
      },
    ],
    staging: [
      {
        kind: "order",
        earlier: { kind: "acquire-granted", worker: "W2" },
        later: { kind: "acquire-invoked", worker: "W3" },
      },
    ],
    demands: {
      contention: true,
      events: [
        { kind: "fault-applied", fault: "slow-release" },
        { kind: "release-returned", worker: "W1" },
        { kind: "acquire-granted", worker: "W2" },
        { kind: "acquire-granted", worker: "W3" },
      ],
    },
    limitMs: 6 * ttlMs + 2000,
  };
}

export const plainDelete = defineScenario({
  id: "S25",
  title: "Release that does not compare",
  summary:
    "W1's release arrives when its lock has expired and W2 has it. A delete that does not compare lets W3 in beside W2.",
  aliases: [
    {
      name: "antirez-plain-del",
      source: "Redis documentation, distributed locks: why a release compares the value",
    },
  ],
  story: lateReleaseStory,
  variants: [
    { name: "plain", summary: "The delete compares, and W3 waits until W2 lets go.", expect: {} },
    {
      name: "plain-del",
      summary: "DEL deletes what W2 has, and W3 believes beside it.",
      strategy: "mutant:plain-del",
      expect: {
        declared: "invalid",
        actual: "invalid",
        danger: "invalid",
        stale: "invalid",
        hygiene: "invalid",
      },
    },
  ],
});
