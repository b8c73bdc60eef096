/**
 * S41. Fencing that only writers meet has a gap: the new holder has read, and until it writes nobody knows its token.
 * The old holder's late write slips in, and the new one's write builds on what it had read before: the update in
 * between is lost.
 *
 * Where readers show their token too, the late write is refused.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { after } from "../../harness/scenario/story-parts.ts";
import { staleReaderStory } from "./stale-reader-story.ts";

/** W1 has the answer to its read. */
const PAUSED_AFTER_READ_MS = 10;

export const fencingOnWritesOnly = defineScenario({
  id: "S41",
  title: "Fencing on writes only",
  summary:
    "W1 is paused, W2 acquires and reads. W1's late write lands before W2's first write, and W2 overwrites it without having seen it.",
  settings: { fencing: true },
  story: (settings) =>
    staleReaderStory(settings, {
      scenario: "S41",
      habit: { readsFirst: true },
      pauseWhen: after({ kind: "read-judged", worker: "W1" }, PAUSED_AFTER_READ_MS),
      begun: { kind: "read-judged", worker: "W2" },
    }),
  variants: [
    {
      name: "plain",
      summary: "Only writes show their token: an update is lost.",
      expect: { actual: "invalid", stale: "invalid" },
    },
    {
      name: "fenced-reads",
      summary: "Reads show their token too: the late write is refused.",
      settings: { fenceReads: true },
      expect: { actual: "invalid" },
    },
  ],
});
