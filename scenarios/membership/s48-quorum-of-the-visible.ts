/**
 * S48. W1 sees three of the five nodes. A majority of what it sees would be two, and two other nodes and a third make
 * a quorum for W2 at the same time. A quorum is counted over the configured nodes, whoever is in sight.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import type { NamedFault } from "../../harness/scenario/story-parts.ts";
import { nearQuorumsStory, sidesOf } from "./near-quorums-story.ts";

function visibleQuorumStory(settings: LabSettings): Story {
  const { beyond } = sidesOf(settings);
  const cuts: readonly NamedFault[] =
    beyond.length === 0
      ? []
      : [["cut-w1", { kind: "cut-link", workers: ["W1"], nodes: beyond, how: "refuse" }]];
  return nearQuorumsStory(settings, { scenario: "S48", cuts, holder: {} });
}

export const quorumOfTheVisible = defineScenario({
  id: "S48",
  title: "Quorum of the nodes in sight",
  summary: "W1 sees A, B and C only and gets A and B. W2 gets C, D and E.",
  aliases: [
    {
      name: "redlock-py-visible-quorum",
      source: "SPSCommerce/redlock-py, pull request 6: the quorum of the servers",
    },
  ],
  story: visibleQuorumStory,
  variants: [
    { name: "plain", summary: "Two of five are no quorum, however many are in sight.", expect: {} },
    {
      name: "visible-quorum",
      summary: "Two of three in sight count as a majority: both believe at once.",
      strategy: "mutant:visible-quorum",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
  ],
});
