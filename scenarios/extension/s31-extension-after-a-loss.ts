/**
 * S31. A holder on a bare quorum extends after one of its nodes has forgotten: two grant, one has no key, two have
 * somebody else's. A quorum can no longer hold the value, so the lock is lost at once, though most of its lifetime
 * was left: the belief ends early, as the signal says. W3, which comes by before the old deadline, finds it ended.
 *
 * Until then a rival could have won, which no client can know: that is the forgetful node's doing, and gone where it
 * remembers. Who writes the key anew instead of comparing takes D and E from somebody else.
 *
 * Times with a TTL of 1000 ms: 0 W2 sets D and E and dies; 20 W1 is granted by A, B, C; 220 C goes down; 290 C is
 * back, empty; 440 W1 extends; 720 W3 comes by; 840 W1 lets go.
 */
import { UsageError } from "../../harness/lab-error.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { StagingCondition, Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  applied,
  appliedEvents,
  at,
  granted,
  inOrder,
  planWorker,
} from "../../harness/scenario/story-parts.ts";

/** W2's commands have arrived everywhere by then, and none of its undo. */
const DIES_AFTER_MS = 10;
const STARTS_AFTER_MS = 5;
const DOWN_AFTER_SHARE = 0.2;
/** Enough for a client to reach the node again. */
const RECONNECTED_AFTER_MS = 150;
const WITNESS_AFTER_SHARE = 0.5;
const LINGER_SHARE = 0.4;

const TTL_MIN_MS = 800;

/** @param endsEarly whether the extension finds the lock lost. */
function extensionAfterALossStory(settings: LabSettings, endsEarly: boolean): Story {
  requireTtl(settings, "S31", TTL_MIN_MS);
  const { quorum, nodeCount, ttlMs, restartAfterMs } = settings;
  const faults = lossFaults(settings);
  const byQuorum: StagingCondition = {
    kind: "granted-by",
    worker: "W1",
    nodes: nodeNames(nodeCount).slice(0, quorum),
  };
  const witness = { kind: "worker-started", worker: "W3" } as const;
  const ended: StagingCondition = inOrder({ kind: "belief-ended", worker: "W1" }, witness);

  return {
    workers: [
      planWorker("W2", settings, { startWhen: after(applied("cut-w2")) }),
      planWorker("W1", settings, {
        startWhen: after({ kind: "worker-killed", worker: "W2" }, STARTS_AFTER_MS),
        workMs: Math.round(ttlMs * DOWN_AFTER_SHARE) + restartAfterMs + RECONNECTED_AFTER_MS,
        extendMs: ttlMs,
        lingerMs: Math.round(ttlMs * LINGER_SHARE),
      }),
      planWorker("W3", settings, {
        startWhen: after(applied("down"), Math.round(ttlMs * WITNESS_AFTER_SHARE)),
        waitMs: ttlMs,
      }),
    ],
    faults,
    staging: endsEarly ? [byQuorum, ended] : [byQuorum],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        { kind: endsEarly ? "extend-failed" : "extend-granted", worker: "W1" },
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

function lossFaults({ nodeCount, quorum, ttlMs, restartAfterMs }: LabSettings): readonly PlannedFault[] {
  const nodes = nodeNames(nodeCount);
  const first = nodes.slice(0, quorum);
  const [shared, last] = [first.at(-1), nodes.slice(quorum).at(-1)];
  if (shared === undefined || last === undefined) {
    throw new UsageError(
      `S31 needs a node that the quorum leaves out, but ${quorum} takes all ${nodeCount}.`,
    );
  }
  return [
    {
      id: "cut-w2",
      when: at(0),
      fault: { kind: "cut-link", workers: ["W2"], nodes: first, how: "lose" },
    },
    {
      id: "crash-w2",
      when: after({ kind: "key-set", node: last }, DIES_AFTER_MS),
      fault: { kind: "crash-worker", worker: "W2" },
    },
    {
      id: "down",
      when: after(granted("W1"), Math.round(ttlMs * DOWN_AFTER_SHARE)),
      fault: { kind: "crash-node", node: shared, downForMs: restartAfterMs },
    },
  ];
}

export const extensionAfterALoss = defineScenario({
  id: "S31",
  title: "Extension after a node has forgotten",
  summary:
    "W1 holds the lock on A, B and C; D and E have somebody else's key. C comes back empty, W1 extends, and is told at once that the lock is lost.",
  story: (settings) => extensionAfterALossStory(settings, settings.persistence === "none"),
  variants: [
    {
      name: "plain",
      summary: "The lock is lost at once; until it asked, a rival could have won it.",
      expect: { danger: "invalid" },
    },
    {
      name: "aof-always",
      summary: "C finds its key again, and the extension counts.",
      settings: { persistence: "aof-always" },
      expect: {},
    },
    {
      name: "extend-without-compare",
      summary: "The extension writes the key anew on every node, also where it is somebody else's.",
      strategy: "mutant:extend-without-compare",
      story: (settings) => extensionAfterALossStory(settings, false),
      expect: { danger: "invalid", hygiene: "invalid" },
    },
  ],
});
