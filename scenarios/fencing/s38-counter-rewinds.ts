/**
 * S38. The counter of fencing tokens fails over to a replica that has not heard of the last number, and hands it out
 * a second time. Two holds have one token, and a resource that accepts what is not lower takes the old holder's late
 * write.
 *
 * A counter that forgets nothing (consensus behind it) keeps tokens apart.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, appliedEvents } from "../../harness/scenario/story-parts.ts";
import { holderPausedStory } from "../pauses/holder-paused-story.ts";

const REWOUND_AFTER_MS = 10;

function counterStory(settings: LabSettings): Story {
  const story = holderPausedStory(settings, "S38");
  const rewind: PlannedFault = {
    id: "rewind",
    when: after({ kind: "worker-paused", worker: "W1" }, REWOUND_AFTER_MS),
    fault: { kind: "rewind-counter", lostCount: 1 },
  };
  const more = settings.tokenSource === "replicated-counter" ? [rewind] : [];
  return {
    ...story,
    faults: [...story.faults, ...more],
    demands: {
      ...story.demands,
      events: [...story.demands.events, ...appliedEvents(more), { kind: "write-judged", worker: "W1" }],
    },
  };
}

export const counterRewinds = defineScenario({
  id: "S38",
  title: "The fencing counter rewinds",
  summary:
    "As S40, but the counter fails over and gives W2 the token that W1 has. W1's late write shows a token that is not lower, and is accepted.",
  settings: { fencing: true, tokenSource: "replicated-counter" },
  story: counterStory,
  variants: [
    {
      name: "plain",
      summary: "Two holds have one token: the late write is accepted.",
      expect: { actual: "invalid", stale: "invalid", tokens: "invalid" },
    },
    {
      name: "counter-that-keeps",
      summary: "The counter forgets nothing: the late write is refused.",
      settings: { tokenSource: "counter" },
      expect: { actual: "invalid" },
    },
  ],
});
