/**
 * S12. The wall clock of W1's machine is set back while the replies are on their way. Who measures on the wall clock
 * finds that hardly any time has passed, and believes for a lifetime of which most is over.
 *
 * Times with a TTL of 1000 ms: 0 W1 asks; 500 its wall clock -900; 954 the replies are there, with 34 ms left on the
 * monotonic clock and 934 on the wall clock; 1010 W2 is granted, while the mutant believes until 1888.
 */
import { slowRepliesStory } from "../network/slow-replies-story.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after } from "../../harness/scenario/story-parts.ts";

/** What is left of the lifetime when the replies are there, and for the two ways of the write. */
const LEFT_MS = 50;
const SET_BACK_AFTER_SHARE = 0.5;
const SET_BACK_SHARE = 0.9;
const RIVAL_LINGER_SHARE = 0.6;
/** Ends within what the wall clock seems to leave, after W2 has written. */
const LONG_WORK_SHARE = 0.4;

function setBackStory(settings: LabSettings, workMs: number): Story {
  const { ttlMs } = settings;
  return slowRepliesStory(settings, {
    scenario: "S12",
    latencyMs: ttlMs - LEFT_MS,
    workMs,
    rivalLingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
    moreFaults: [
      {
        id: "set-back",
        when: after({ kind: "acquire-invoked", worker: "W1" }, Math.round(ttlMs * SET_BACK_AFTER_SHARE)),
        fault: { kind: "jump-worker-clock", worker: "W1", byMs: -Math.round(ttlMs * SET_BACK_SHARE) },
      },
    ],
  });
}

export const wallClockSetBack = defineScenario({
  id: "S12",
  title: "Wall clock of a client set back while it acquires",
  summary:
    "W1's wall clock is set back by 900 ms while slow replies are on their way. On the wall clock hardly any time has passed.",
  settings: { nodeTimeoutMs: 2000 },
  story: (settings) => setBackStory(settings, 0),
  variants: [
    {
      name: "plain",
      summary: "The monotonic clock knows how little is left, and that is enough for W1.",
      expect: {},
    },
    {
      name: "wall-clock",
      summary: "W1 measures on the wall clock, and works for as long as it seems to have.",
      strategy: "mutant:wall-clock",
      story: (settings) => setBackStory(settings, Math.round(settings.ttlMs * LONG_WORK_SHARE)),
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
  ],
});
