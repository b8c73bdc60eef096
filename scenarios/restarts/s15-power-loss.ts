/**
 * S15. A node that syncs its append-only file once a second loses power: what it had acknowledged and not yet synced
 * is gone, and it votes a second time. Here its disk acknowledges background syncs without making them durable, so
 * that the loss does not hang on the second hand.
 *
 * A sync for every command, before the reply, keeps the key. So does a delayed restart, without any disk.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { GUARDED } from "../usual-variants.ts";
import { forgetfulNodeStory } from "./forgetful-node-story.ts";

export const powerLoss = defineScenario({
  id: "S15",
  title: "Power loss between two syncs of the append-only file",
  summary:
    "W1 holds the lock on A, B and C. C loses power before it has synced, comes back without the key, and W2 acquires on C, D and E.",
  aliases: [
    {
      name: "antirez-power-loss",
      source: "Redis documentation, distributed locks: performance, crash recovery and fsync",
    },
  ],
  settings: { persistence: "aof-everysec" },
  story: (settings) => forgetfulNodeStory(settings, { scenario: "S15", how: "power-loss" }),
  variants: [
    {
      name: "plain",
      summary: "Synced once a second: the key is lost, both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "aof-always",
      summary: "Synced before each reply: the key is still there.",
      settings: { persistence: "aof-always" },
      expect: {},
    },
    GUARDED,
    {
      name: "delayed-restart",
      summary: "C stays away until every lock of before has expired.",
      settings: { delayedRestart: true },
      expect: {},
    },
  ],
});
