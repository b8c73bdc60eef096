/**
 * S30. An extension a moment before the deadline is granted by one node of three; the others get it when their keys
 * have gone. One is no quorum: the belief ends at the old deadline, although a key lives on. Who counts any success
 * as a renewal believes for a whole lifetime more, while others hold the lock.
 *
 * The application does not look at its deadline here and stays in its section: that is its own affair.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { edgeStory } from "./edge-story.ts";

/** Still in the section when W2 enters. */
const LINGER_SHARE = 0.3;

export const extensionAtTheEdge = defineScenario({
  id: "S30",
  title: "Extension at the edge of the deadline",
  summary:
    "W1 extends right before its deadline. A renews, B and C get the extension after their keys have expired. W2 acquires on B, C, D and E.",
  story: (settings) =>
    edgeStory(settings, {
      scenario: "S30",
      holder: { lingerMs: Math.round(settings.ttlMs * LINGER_SHARE) },
    }),
  variants: [
    {
      name: "plain",
      summary: "One renewed key of three: the belief ends at the old deadline.",
      expect: { actual: "invalid" },
    },
    {
      name: "any-extend",
      summary: "Any success counts as a renewal: both believe at once.",
      strategy: "mutant:any-extend",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
    },
  ],
});
