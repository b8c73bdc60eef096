/**
 * S01. The holder is paused for longer than its lock lives (a long garbage collection, a swapped-out process), and
 * on waking writes without looking. The lock has kept its promise: its deadline had passed. The resource takes the
 * stale write all the same.
 *
 * Fencing stops the write. Looking at the deadline first makes the gap small, and no smaller than one instruction:
 * here the pause falls before the look. Neither takes the old holder out of its critical section.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { holderPausedStory } from "./holder-paused-story.ts";
import { LATE_WRITE_FENCED } from "../usual-variants.ts";

export const holderPaused = defineScenario({
  id: "S01",
  title: "Holder paused after acquiring",
  summary:
    "W1 acquires and is stopped. Its lock expires, W2 acquires and writes. W1 goes on and writes as if it still held the lock.",
  aliases: [
    {
      name: "kleppmann-pause",
      source: 'Martin Kleppmann, "How to do distributed locking", 2016: the paused client',
    },
  ],
  story: (settings) => holderPausedStory(settings, "S01"),
  variants: [
    {
      name: "plain",
      summary: "Nothing protects the resource: the stale write is accepted.",
      expect: { actual: "invalid", stale: "invalid" },
    },
    LATE_WRITE_FENCED,
    {
      name: "checked",
      summary: "W1 looks at its deadline right before the write, and does not write.",
      settings: { checkBeforeWrite: true },
      expect: { actual: "invalid" },
    },
  ],
});
