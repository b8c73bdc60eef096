/**
 * S13. The wall clock of the holder's machine is stepped forward. Who measures on it finds the lock expired, refuses to
 * extend it, and gives up work that could have been finished. Nobody is let in who should not be: it costs
 * availability, and the trust of whoever reads the error.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 100 its wall clock +5000; 500 W1 extends; the wall clock steps again
 * while W1 acquires for the second time, and its replies seem to be seconds old.
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, planWorker } from "../../harness/scenario/story-parts.ts";

const STEP_TTLS = 5;
const STEP_AFTER_MS = 100;
const WORK_SHARE = 0.5;
const TTL_MIN_MS = 300;

function setForwardStory(settings: LabSettings, shown: EventPattern): Story {
  requireTtl(settings, "S13", TTL_MIN_MS);
  const { ttlMs, nodeTimeoutMs } = settings;
  const step = { kind: "jump-worker-clock", worker: "W1", byMs: STEP_TTLS * ttlMs } as const;
  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: at(0),
        acquireCount: 2,
        grantsMax: 2,
        workMs: Math.round(ttlMs * WORK_SHARE),
        extendMs: ttlMs,
      }),
    ],
    faults: [
      {
        id: "step-while-holding",
        when: after(granted("W1"), STEP_AFTER_MS),
        fault: step,
      },
      {
        id: "step-while-acquiring",
        when: { kind: "after", event: { kind: "acquire-invoked", worker: "W1" }, nth: 2, delayMs: 1 },
        fault: step,
      },
    ],
    staging: [],
    demands: {
      contention: false,
      events: [applied("step-while-holding"), applied("step-while-acquiring"), shown],
      promptAcquires: { medianBelowMs: nodeTimeoutMs },
    },
    limitMs: 4 * ttlMs + 2000,
  };
}

export const wallClockSetForward = defineScenario({
  id: "S13",
  title: "Wall clock of the holder set forward",
  summary:
    "W1's wall clock steps forward by five lifetimes while it holds the lock, and again while it acquires the next one.",
  story: (settings) => setForwardStory(settings, { kind: "extend-granted", worker: "W1" }),
  variants: [
    { name: "plain", summary: "The monotonic clock was not stepped: W1 extends and acquires.", expect: {} },
    {
      name: "wall-clock",
      summary: "A lock that lives is taken for expired, and a quorum in time for one that came too late.",
      strategy: "mutant:wall-clock",
      story: (settings) => setForwardStory(settings, { kind: "extend-failed", worker: "W1" }),
      expect: { settling: "invalid" },
    },
  ],
});
