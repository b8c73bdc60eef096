/**
 * S62. How long a node has been up is no measure for what it may have forgotten. INFO gives whole seconds of the wall
 * clock: a server that was started at .900 of a second says 1 after a tenth of one, so that a quarantine of a second
 * that goes by it is over when it begins.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted by A, B, C; 55 C is killed; 125 C is back, at .900 of its second; 255 W2
 * asks C, D, E, when C's uptime is 1; 700 W1 writes and lets go.
 *
 * The guard's quarantine is a key that lives for the longest lifetime from the first question on; the uptime is for
 * display only.
 */
import { UsageError } from "../../harness/lab-error.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { GUARDED } from "../usual-variants.ts";
import { forgetfulNodeStory } from "./forgetful-node-story.ts";

/** Above that the quarantine by the uptime is short by the same, and W1's late write comes too early for it. */
const TTL_MAX_MS = 1000;
const BACK_AT_PHASE_MS = 900;
/** The uptime is 1 by then. */
const RIVAL_AFTER_MS = 130;

function truncatedUptimeStory(settings: LabSettings): Story {
  if (settings.ttlMs > TTL_MAX_MS) {
    throw new UsageError(
      `Scenario S62 is told with a TTL of ${TTL_MAX_MS} ms at most, not ${settings.ttlMs}.`,
    );
  }
  return forgetfulNodeStory(settings, {
    scenario: "S62",
    how: "killed",
    rivalAfterMs: RIVAL_AFTER_MS,
    backAtPhaseMs: BACK_AT_PHASE_MS,
  });
}

export const truncatedUptime = defineScenario({
  id: "S62",
  title: "Quarantine by a truncated uptime",
  summary:
    "W1 holds the lock on A, B and C. C is killed and comes back empty at .900 of a second; after 101 ms its uptime is 1 s, and W2 acquires on C, D and E.",
  settings: { restartGuard: true },
  story: truncatedUptimeStory,
  variants: [
    {
      name: "plain",
      summary: "Without a quarantine C votes again: both believe at once.",
      settings: { restartGuard: false },
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "uptime",
      summary: "The quarantine goes by the uptime, and is over nine tenths of a second early.",
      strategy: "mutant:uptime-quarantine",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    { ...GUARDED, summary: "The quarantine is a key of its own, and lives for the longest lifetime." },
  ],
});
