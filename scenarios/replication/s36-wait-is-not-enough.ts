/**
 * S36. One master with two replicas, and a lock counts when WAIT has seen one of them acknowledge it. The other one
 * is behind, and it is the other one that is promoted: how many have the key says nothing of who takes over.
 *
 * Where the replica that acknowledged takes over, the lock survives. Five independent masters do without luck.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, granted } from "../../harness/scenario/story-parts.ts";
import { MASTER, oneMasterStory, requireOneMaster } from "./one-master-story.ts";

const IN_TIME = 1;
const BEHIND = 2;
const DIES_AFTER_MS = 50;
/** Behind until the fail-over is long past; later it acknowledges what the new master has. */
const BEHIND_SHARE = 0.5;

const tellWith =
  (replica: number) =>
  (settings: LabSettings): Story =>
    oneMasterStory(settings, {
      scenario: "S36",
      when: after(granted("W1"), DIES_AFTER_MS),
      replica,
      preparations: [
        [
          "hold",
          {
            kind: "hold-replication",
            node: MASTER,
            replica: BEHIND,
            forMs: Math.round(settings.ttlMs * BEHIND_SHARE),
          },
        ],
      ],
    });

const onOneMaster =
  (replica: number) =>
  (settings: LabSettings): Story => {
    requireOneMaster(settings, "S36");
    return tellWith(replica)(settings);
  };

const ONE_MASTER = { nodeCount: 1, quorum: 1 } as const;

export const waitIsNotEnough = defineScenario({
  id: "S36",
  title: "WAIT is not enough",
  summary:
    "One of two replicas has acknowledged W1's lock when the master dies. The other one is promoted and grants it to W2.",
  settings: { replicaCount: 2 },
  story: tellWith(BEHIND),
  variants: [
    {
      name: "replicated-wait",
      summary: "The replica that is behind takes over: both believe at once.",
      settings: ONE_MASTER,
      strategy: "replicated-wait",
      story: onOneMaster(BEHIND),
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "acknowledged-promoted",
      summary: "The replica that acknowledged takes over: the key is still there.",
      settings: ONE_MASTER,
      strategy: "replicated-wait",
      story: onOneMaster(IN_TIME),
      expect: {},
    },
    {
      name: "fenced",
      summary: "Both believe at once, and the resource refuses the older token.",
      settings: { ...ONE_MASTER, fencing: true },
      strategy: "replicated-wait",
      story: onOneMaster(BEHIND),
      expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
    },
    { name: "redlock", summary: "Five masters: four of them still have the key.", expect: {} },
  ],
});
