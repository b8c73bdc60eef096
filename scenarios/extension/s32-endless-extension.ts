/**
 * S32. The holder's work hangs while its lock is extended beside it, again and again: nobody else ever gets it. A
 * longest hold ends that: the renewal stops, the lock runs out, and a rival that waits acquires. The worker that
 * hangs is in its section all the same; it looks at its deadline before it writes, as it should.
 *
 * What must not be is that the rival's acquire fails: that is asked of the settling of calls.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, at, granted, planWorker } from "../../harness/scenario/story-parts.ts";

const LONGEST_HOLD_TTLS = 2;
/** The rival waits for the longest hold, the last lifetime that was asked for in it, and some more. */
const RIVAL_WAITS_TTLS = LONGEST_HOLD_TTLS + 1.5;
/** Longer than anybody waits. */
const HANGS_TTLS = RIVAL_WAITS_TTLS + 1;
const RIVAL_AFTER_MS = 50;

function endlessExtensionStory(settings: LabSettings): Story {
  const { ttlMs } = settings;
  const rivalWaitMs = Math.round(ttlMs * RIVAL_WAITS_TTLS);
  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: at(0),
        workMs: Math.round(ttlMs * HANGS_TTLS),
        renews: true,
        maxHoldMs: LONGEST_HOLD_TTLS * ttlMs,
        checkBeforeWrite: true,
      }),
      planWorker("W2", settings, {
        startWhen: after(granted("W1"), RIVAL_AFTER_MS),
        waitMs: rivalWaitMs,
      }),
    ],
    faults: [],
    staging: [],
    demands: {
      contention: true,
      events: [{ kind: "extend-granted", worker: "W1" }],
      // Both acquires have to be granted, the rival's within its wait.
      promptAcquires: { medianBelowMs: rivalWaitMs },
    },
    limitMs: 8 * ttlMs + 3000,
  };
}

export const endlessExtension = defineScenario({
  id: "S32",
  title: "Endless extension",
  summary:
    "W1's work hangs while its lock is renewed beside it. The longest hold ends the renewal, and W2, which waits, acquires.",
  story: endlessExtensionStory,
  variants: [
    {
      name: "plain",
      summary: "The renewal ends with the longest hold; W1 hangs in its section and does not write.",
      expect: { actual: "invalid" },
    },
    {
      name: "endless-extend",
      summary: "The renewal never ends: W2 waits in vain.",
      strategy: "mutant:endless-extend",
      expect: { settling: "invalid" },
    },
  ],
});
