/**
 * S53. A control of liveness: the holder dies with the lock. Nobody releases it; it expires, and a worker that waits
 * must get it within the TTL, one wait between two attempts and one node timeout.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";

/** The signal that kills W1 has to reach it within this time. */
const HOLDER_WORK_SHARE = 0.5;

const TTL_MIN_MS = 200;

function holderCrashStory(settings: LabSettings): Story {
  requireTtl(settings, "S53", TTL_MIN_MS);
  const { ttlMs } = settings;
  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: Math.round(ttlMs * HOLDER_WORK_SHARE) }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-killed", worker: "W1" }),
        waitMs: 2 * ttlMs,
      }),
    ],
    faults: [
      {
        id: "crash-w1",
        when: after(granted("W1")),
        fault: { kind: "crash-worker", worker: "W1" },
      },
    ],
    staging: [inOrder({ kind: "worker-killed", worker: "W1" }, granted("W2"))],
    demands: {
      contention: false,
      events: [applied("crash-w1"), { kind: "worker-killed", worker: "W1" }, granted("W2")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const holderCrash = defineScenario({
  id: "S53",
  title: "Holder crash",
  summary: "W1 dies with the lock. W2, which waits, acquires as soon as it has expired.",
  story: holderCrashStory,
  variants: [{ name: "plain", summary: "Nobody releases: the lock expires.", expect: {} }],
});
