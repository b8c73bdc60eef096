/**
 * S26. A release that compares by GET and deletes by DEL is two commands, and time passes between them. W1's value is
 * still there when it looks; when its DEL arrives the lock has expired and W2 has it.
 *
 * Times with a TTL of 1000 ms, and 200 ms between GET and DEL: 0 W1 is granted; 857 its GET finds its value; 1002 the
 * keys expire; 1020 W2 is granted; 1063 the DELs arrive; 1120 W3 comes by.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { lateDeleteStory } from "./late-delete-story.ts";

/** W1 releases so long before its keys expire; the mutant takes 200 ms from its GET to its DEL. */
const RELEASE_BEFORE_END_MS = 150;
const RIVAL_AFTER_MS = 10;
const RIVAL_WAIT_MS = 30;
/** A DEL after 200 ms has arrived by then. */
const THIRD_AFTER_MS = 260;

export const getThenDelete = defineScenario({
  id: "S26",
  title: "Release that compares and deletes apart",
  summary:
    "W1 compares its value and deletes it 200 ms later, when its lock has expired and W2 has it. W3 gets in beside W2.",
  story: (settings) =>
    lateDeleteStory(settings, {
      scenario: "S26",
      holderWorkMs: settings.ttlMs - RELEASE_BEFORE_END_MS,
      rivalAfterMs: RIVAL_AFTER_MS,
      rivalWaitMs: RIVAL_WAIT_MS,
      thirdAfterMs: THIRD_AFTER_MS,
    }),
  variants: [
    { name: "plain", summary: "One script compares and deletes.", expect: {} },
    {
      name: "get-then-del",
      summary: "GET, 200 ms, DEL: it deletes what W2 has.",
      strategy: "mutant:get-then-del",
      expect: {
        declared: "invalid",
        actual: "invalid",
        danger: "invalid",
        stale: "invalid",
        hygiene: "invalid",
      },
    },
  ],
});
