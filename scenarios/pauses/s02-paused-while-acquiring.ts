/**
 * S02. W1 is stopped when its commands are out and goes on when its keys have expired and W2 has the lock. Then five
 * grants are waiting for it, and nothing on their face says how old they are. The coordinator reads the clock again
 * after the votes, refuses itself the lock, and takes back a value that no node has any more.
 *
 * Times with a TTL of 1000 ms: 0 W1 asks and is stopped; 4 five grants arrive at a process that stands still; 1100 W2
 * is granted; 1500 W1 goes on. What it takes first, its timers or the replies, is not certain on a real machine,
 * so that both are told; the replies first need a node timeout that has not passed either.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";

/** How long after W1's keys are gone W2 comes by. */
const RIVAL_AFTER_MS = 100;
/** W2 has this long to be granted and to write before W1 goes on. */
const RIVAL_TIME_MS = 400;
const WORK_MS = 50;
/** W2 is still there when W1 is back. */
const RIVAL_LINGER_MS = 600;
const TTL_MIN_MS = 200;

function acquiringStory(settings: LabSettings, resumeWith: "timers" | "replies"): Story {
  requireTtl(settings, "S02", TTL_MIN_MS);
  const { ttlMs } = settings;
  const pauseMs = ttlMs + RIVAL_AFTER_MS + RIVAL_TIME_MS;
  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: WORK_MS }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-paused", worker: "W1" }, ttlMs + RIVAL_AFTER_MS),
        workMs: WORK_MS,
        lingerMs: RIVAL_LINGER_MS,
      }),
    ],
    faults: [
      {
        id: "pause-w1",
        when: { kind: "before-effect", worker: "W1", effect: "receive" },
        fault: { kind: "pause-worker", worker: "W1", forMs: pauseMs, resumeWith },
      },
    ],
    staging: [inOrder({ kind: "write-judged", worker: "W2" }, { kind: "worker-resumed", worker: "W1" })],
    demands: {
      contention: false,
      events: [applied("pause-w1"), { kind: "key-set", node: "A" }, granted("W2")],
    },
    limitMs: 4 * ttlMs + 2000,
  };
}

/** Longer than the pause. */
const PATIENT_NODE_TIMEOUT_MS = 4000;

export const pausedWhileAcquiring = defineScenario({
  id: "S02",
  title: "Paused while acquiring",
  summary:
    "W1 is stopped between its commands and their replies until its keys have expired and W2 has the lock. The grants that it then finds are worth nothing.",
  aliases: [
    {
      name: "kleppmann-pause-while-acquiring",
      source:
        'Martin Kleppmann, "How to do distributed locking", 2016: the pause before the replies are read',
    },
  ],
  story: (settings) => acquiringStory(settings, "timers"),
  variants: [
    { name: "plain", summary: "Timers first: the node timeout ends the attempt.", expect: {} },
    {
      name: "replies-first",
      summary: "Replies first: a quorum, and the second look at the clock refuses it.",
      settings: { nodeTimeoutMs: PATIENT_NODE_TIMEOUT_MS },
      story: (settings) => acquiringStory(settings, "replies"),
      expect: {},
    },
    {
      name: "no-validity-check",
      summary: "Nobody looks at the clock again: W1 goes in beside W2 with a lock that is over.",
      settings: { nodeTimeoutMs: PATIENT_NODE_TIMEOUT_MS },
      strategy: "mutant:no-validity-check",
      story: (settings) => acquiringStory(settings, "replies"),
      expect: { declared: "invalid", actual: "invalid", stale: "invalid" },
    },
  ],
});
