/**
 * S16. The control of S14 and S15: the node forgets everything, and answers nobody until the TTL, the drift and a
 * margin are over. W2, cut off from A and B, goes on asking all the while and must win once the node is back, not
 * before: the price of the delay is the time in which nobody can.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { forgetfulNodeStory } from "./forgetful-node-story.ts";

export const delayedRestart = defineScenario({
  id: "S16",
  title: "Delayed restart",
  summary:
    "W1 holds the lock on A, B and C. C goes down and stays away until that lock has expired for certain; W2 waits and wins then.",
  aliases: [
    {
      name: "antirez-delayed-restart",
      source: "Redis documentation, distributed locks: performance, crash recovery and fsync",
    },
  ],
  settings: { delayedRestart: true },
  story: (settings) =>
    forgetfulNodeStory(settings, {
      scenario: "S16",
      how: settings.persistence === "aof-everysec" ? "power-loss" : "killed",
    }),
  variants: [
    { name: "killed", summary: "C keeps nothing on disk and is killed.", expect: {} },
    {
      name: "power-loss",
      summary: "C loses power and what it had not synced.",
      settings: { persistence: "aof-everysec" },
      expect: {},
    },
  ],
});
