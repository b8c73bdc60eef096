/**
 * S26. A release that compares by GET and deletes by DEL is two commands, and time passes between them. W1's value is
 * still there when it looks; when its DEL arrives the lock has expired and W2 has it.
 *
 * Times with a TTL of 1000 ms, and 200 ms between GET and DEL: 0 W1 is granted; 857 its GET finds its value; 1002 the
 * keys expire; 1020 W2 is granted; 1063 the DELs arrive; 1120 W3 comes by.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, at, planWorker } from "../../harness/scenario/story-parts.ts";

/** W1 releases so long before its keys expire; the mutant takes 200 ms from its GET to its DEL. */
const RELEASE_BEFORE_END_MS = 150;
const RIVAL_AFTER_MS = 10;
/** W2 is asked for a second time if it came a little early. */
const RIVAL_WAIT_MS = 30;
/** W3 comes so long after W1's release began: when a DEL after 200 ms has arrived. */
const THIRD_AFTER_MS = 260;
/** W2 writes last, long after W3 has had the time to be granted and to write. */
const RIVAL_WORK_SHARE = 0.6;
/** W3 still believes then. */
const THIRD_LINGER_SHARE = 0.6;
const TTL_MIN_MS = 600;

function slowCompareStory(settings: LabSettings): Story {
  requireTtl(settings, "S26", TTL_MIN_MS);
  const { ttlMs } = settings;
  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: ttlMs - RELEASE_BEFORE_END_MS }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "acquire-granted", worker: "W1" }, ttlMs + RIVAL_AFTER_MS),
        waitMs: RIVAL_WAIT_MS,
        workMs: Math.round(ttlMs * RIVAL_WORK_SHARE),
      }),
      planWorker("W3", settings, {
        startWhen: after({ kind: "release-invoked", worker: "W1" }, THIRD_AFTER_MS),
        waitMs: 2 * ttlMs,
        lingerMs: Math.round(ttlMs * THIRD_LINGER_SHARE),
      }),
    ],
    faults: [],
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
        { kind: "acquire-granted", worker: "W2" },
        { kind: "acquire-granted", worker: "W3" },
      ],
    },
    limitMs: 6 * ttlMs + 2000,
  };
}

export const getThenDelete = defineScenario({
  id: "S26",
  title: "Release that compares and deletes apart",
  summary:
    "W1 compares its value and deletes it 200 ms later, when its lock has expired and W2 has it. W3 gets in beside W2.",
  story: slowCompareStory,
  variants: [
    { name: "plain", summary: "One script compares and deletes.", expect: {} },
    {
      name: "get-then-del",
      summary: "GET, 200 ms, DEL: it deletes what W2 has.",
      strategy: "mutant:get-then-del",
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
