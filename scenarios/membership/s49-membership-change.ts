/**
 * S49. The cluster has grown from three nodes to five, and W1 has not heard of it: two of A, B and C are a majority to
 * it, and C, D and E one to W2. Each counts rightly by what it was configured with. Nothing in the algorithm helps;
 * all clients have to be configured alike, and changing that is an operation of its own.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { nearQuorumsStory, sidesOf } from "./near-quorums-story.ts";
import { BOTH_BELIEVE_FENCED } from "../usual-variants.ts";

export const membershipChange = defineScenario({
  id: "S49",
  title: "Two memberships at once",
  summary:
    "W1 is configured with A, B and C and gets A and B. W2 is configured with all five and gets C, D and E.",
  story: (settings) => {
    const { near, shared } = sidesOf(settings);
    return nearQuorumsStory(settings, {
      scenario: "S49",
      cuts: [],
      holder: { membership: [...new Set([...near, shared])] },
    });
  },
  variants: [
    {
      name: "plain",
      summary: "Two majorities of two memberships: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "same-membership",
      summary: "Both are configured with all five.",
      story: (settings) => nearQuorumsStory(settings, { scenario: "S49", cuts: [], holder: {} }),
      expect: {},
    },
    BOTH_BELIEVE_FENCED,
  ],
});
