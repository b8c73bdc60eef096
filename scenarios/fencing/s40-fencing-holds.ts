/**
 * S40. The control of fencing: the story of S01 with a resource that compares tokens. The late write carries the
 * older token and is refused; the old holder is in its critical section all the same, because no lock can take it out.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { holderPausedStory } from "../pauses/holder-paused-story.ts";

export const fencingHolds = defineScenario({
  id: "S40",
  title: "Fencing refuses the late write",
  summary:
    "As S01, with a resource that remembers the highest fencing token: W1's late write must reach it and be refused.",
  aliases: [
    {
      name: "kleppmann-fencing",
      source: 'Martin Kleppmann, "How to do distributed locking", 2016: fencing tokens',
    },
  ],
  settings: { fencing: true },
  story: (settings) => {
    const story = holderPausedStory(settings, "S40");
    const lateWrite = { kind: "write-judged", worker: "W1" } as const;
    return { ...story, demands: { ...story.demands, events: [...story.demands.events, lateWrite] } };
  },
  variants: [
    {
      name: "fenced",
      summary: "The late write is refused; both workers were in the critical section.",
      expect: { actual: "invalid" },
    },
  ],
});
