/**
 * A holder is stopped in its critical section until its lock has expired and a rival has the lock; then it goes on
 * as if nothing had happened. Told by S01 and, as a control of fencing, by S40.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted and stopped; 988 its deadline; 1100 W2 is granted; 1150 W2 writes;
 * 1600 W1 goes on, writes and releases while W2 still holds the lock.
 */
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";

/** How long after W1's keys are gone W2 comes by. */
const RIVAL_AFTER_MS = 100;
/** W2 has this long to be granted and to write before W1 goes on. */
const RIVAL_TIME_MS = 500;
/** The signal that stops W1 has to reach it within this time after the grant. */
const HOLDER_WORK_MS = 150;
const RIVAL_WORK_MS = 50;
/** W2 still holds the lock when W1 releases: only a compared delete leaves it alone. */
const RIVAL_LINGER_MS = 600;

/** W1 is stopped while its lock still lives. */
const TTL_MIN_MS = HOLDER_WORK_MS + 100;

export function holderPausedStory(settings: LabSettings, scenario: string): Story {
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { ttlMs, checkBeforeWrite } = settings;
  const decisive = checkBeforeWrite ? "write-skipped" : "write-invoked";

  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: HOLDER_WORK_MS }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-paused", worker: "W1" }, ttlMs + RIVAL_AFTER_MS),
        waitMs: RIVAL_TIME_MS / 2,
        workMs: RIVAL_WORK_MS,
        lingerMs: RIVAL_LINGER_MS,
      }),
    ],
    faults: [
      {
        id: "pause-w1",
        when: after(granted("W1")),
        fault: { kind: "pause-worker", worker: "W1", forMs: ttlMs + RIVAL_AFTER_MS + RIVAL_TIME_MS },
      },
    ],
    staging: [
      // Stopped before it looked at its deadline or wrote, and stopped until the rival had written.
      inOrder({ kind: "worker-paused", worker: "W1" }, { kind: decisive, worker: "W1" }),
      inOrder({ kind: "write-judged", worker: "W2" }, { kind: "worker-resumed", worker: "W1" }),
    ],
    demands: {
      contention: true,
      events: [
        applied("pause-w1"),
        { kind: "fault-healed", fault: "pause-w1" },
        { kind: "write-judged", worker: "W2" },
      ],
    },
    limitMs: 3 * ttlMs + 3000,
  };
}
