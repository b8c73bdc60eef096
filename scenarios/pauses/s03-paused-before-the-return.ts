/**
 * S03. W1 is stopped after the last look at the clock and before the call returns: the smallest gap there is, and no
 * code can close it. What it gets in its hands when it goes on is a lock whose deadline has passed, and which says so.
 *
 * Times with a TTL of 1000 ms: 0 W1 asks; 5 its quorum is there, in time, and it is stopped; 1010 W2 is granted and
 * writes at 1040; 1400 W1's call returns, with a deadline of 988.
 *
 * Whoever looks at the deadline does not write. Whoever does not is stopped by fencing, or by nothing.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";
import { LATE_WRITE_FENCED } from "../usual-variants.ts";

const RIVAL_AFTER_MS = 10;
/** W2 has this long to be granted and to write before W1 goes on. */
const RIVAL_TIME_MS = 400;
/** W2 is asked for a second time if it came a little early. */
const RIVAL_WAIT_MS = 100;
const WORK_MS = 30;
/** W2 is still there when W1 is back. */
const RIVAL_LINGER_MS = 600;
const TTL_MIN_MS = 200;

function pausedStory(settings: LabSettings): Story {
  requireTtl(settings, "S03", TTL_MIN_MS);
  const { ttlMs } = settings;
  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: WORK_MS }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-paused", worker: "W1" }, ttlMs + RIVAL_AFTER_MS),
        waitMs: RIVAL_WAIT_MS,
        workMs: WORK_MS,
        lingerMs: RIVAL_LINGER_MS,
      }),
    ],
    faults: [
      {
        id: "pause-w1",
        when: { kind: "before-effect", worker: "W1", effect: "return" },
        fault: { kind: "pause-worker", worker: "W1", forMs: ttlMs + RIVAL_TIME_MS },
      },
    ],
    staging: [inOrder({ kind: "write-judged", worker: "W2" }, { kind: "worker-resumed", worker: "W1" })],
    demands: {
      contention: true,
      events: [
        applied("pause-w1"),
        // It was granted, late and rightly.
        granted("W1"),
        granted("W2"),
      ],
    },
    limitMs: 4 * ttlMs + 2000,
  };
}

export const pausedBeforeTheReturn = defineScenario({
  id: "S03",
  title: "Paused between the check and the return",
  summary:
    "W1's quorum is in time and has been checked when it is stopped. W2 acquires; then W1's call returns with a lock that is over.",
  story: pausedStory,
  variants: [
    {
      name: "plain",
      summary: "W1 does not look at the deadline, and its stale write is accepted.",
      expect: { actual: "invalid", stale: "invalid" },
    },
    {
      name: "checked",
      summary: "W1 looks at the deadline, which has passed, and does not write.",
      settings: { checkBeforeWrite: true },
      expect: { actual: "invalid" },
    },
    LATE_WRITE_FENCED,
  ],
});
