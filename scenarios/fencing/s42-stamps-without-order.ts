/**
 * S42. Instead of a growing token, each holder stamps the resource with its own value on entering, and writes only
 * where the stamp is still there. Only one of two can win, so nothing is lost; but stamps have no order, and it is
 * the wrong one that wins: the paused holder stamps last, and the valid holder's write is refused.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { after, granted } from "../../harness/scenario/story-parts.ts";
import { staleReaderStory } from "./stale-reader-story.ts";

export const stampsWithoutOrder = defineScenario({
  id: "S42",
  title: "Stamps without an order",
  summary:
    "W1 is paused before it stamps the resource. W2 acquires, stamps and works. W1 goes on, stamps and writes; W2's write finds another stamp.",
  aliases: [
    {
      name: "antirez-token-cas",
      source: 'Salvatore Sanfilippo, "Is Redlock safe?", 2016: the token as a stamp',
    },
  ],
  story: (settings) =>
    staleReaderStory(settings, {
      scenario: "S42",
      habit: { stampsFirst: true },
      pauseWhen: after(granted("W1")),
      begun: { kind: "section-entered", worker: "W2" },
    }),
  variants: [
    {
      name: "plain",
      summary: "One write is accepted, and it is the old holder's.",
      expect: { actual: "invalid" },
    },
  ],
});
