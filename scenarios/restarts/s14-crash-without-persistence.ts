/**
 * S14. A node that keeps nothing on disk is killed and restarted at once: it comes back empty and votes a second
 * time while the first lock is still believed in. One forgetful node breaks a bare majority.
 *
 * Four ways out: an append-only file (a killed process loses nothing that it has written), a fourth vote, the restart
 * guard (the node itself says that it may have forgotten, and casts no vote for one longest lifetime), or a restart
 * that is delayed until every lock of before has expired.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { forgetfulNodeStory } from "./forgetful-node-story.ts";
import { FOUR_VOTES, GUARDED } from "../usual-variants.ts";

export const crashWithoutPersistence = defineScenario({
  id: "S14",
  title: "Crash without persistence, immediate restart",
  summary: "W1 holds the lock on A, B and C. C is killed, comes back empty, and W2 acquires on C, D and E.",
  aliases: [
    {
      name: "antirez-crash-restart",
      source: "Redis documentation, distributed locks: performance, crash recovery and fsync",
    },
  ],
  story: (settings) => forgetfulNodeStory(settings, { scenario: "S14", how: "killed" }),
  variants: [
    {
      name: "plain",
      summary: "C forgets and votes again: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "aof-always",
      summary: "C finds its key again in its append-only file.",
      settings: { persistence: "aof-always" },
      expect: {},
    },
    FOUR_VOTES,
    GUARDED,
    {
      name: "delayed-restart",
      summary: "C stays away until every lock of before has expired.",
      settings: { delayedRestart: true },
      expect: {},
    },
  ],
});
