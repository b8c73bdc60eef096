/**
 * S61. W1 holds A, B and C. Its extension finds the key missing on D and E, and sends it there again; that is held up on
 * the way. W1 lets go meanwhile, and W2 takes C, D and E. Then the re-seed arrives at D and E, and W1's delete right
 * behind it. SET NX finds the key taken, and the delete compares. A plain SET overwrites W2's key, the delete finds what
 * it looks for, and D and E are free for W3.
 *
 * Times: 0 W1 is granted by A, B, C; 500 it extends; 505 the re-seed leaves; 660 W1 lets go; 665 W2 is granted by C, D, E;
 * 805 re-seed and delete arrive; 830 W3 comes by.
 */
import { UsageError } from "../../harness/lab-error.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  at,
  granted,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";

/** D and E are in W1's reach again long before it extends. */
const CUT_FOR_MS = 350;
const EXTEND_MS = 490;
/** The extension is on its way by then, and nobody has answered it. */
const HELD_UP_AFTER_MS = 2;
const HELD_UP_MS = 900;
/** W2 has the lock when what is held up is let go. */
const HELD_UP_FOR_MS = 300;
const LETS_GO_LATER_MS = 150;
const W2_LINGER_MS = 400;
const W3_AFTER_MS = 330;

const TTL_MIN_MS = 950;

const EXTENDS = { kind: "extend-invoked", worker: "W1" } as const;

function reseedStory(settings: LabSettings): Story {
  requireTtl(settings, "S61", TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs } = settings;
  const nodes = nodeNames(nodeCount);
  const [last = "A"] = nodes.slice(quorum - 1);
  const faults = reseedFaults(settings);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(faults.slice(0, 2)),
        workMs: EXTEND_MS,
        extendMs: ttlMs,
        lingerMs: LETS_GO_LATER_MS,
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "key-deleted", node: last }),
        waitMs: ttlMs,
        lingerMs: W2_LINGER_MS,
      }),
      planWorker("W3", settings, { startWhen: after(EXTENDS, W3_AFTER_MS), waitMs: 2 * ttlMs }),
    ],
    faults,
    staging: [{ kind: "granted-by", worker: "W1", nodes: nodes.slice(0, quorum) }],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        { kind: "extend-granted", worker: "W1" },
        granted("W2"),
        granted("W3"),
      ],
    },
    limitMs: 6 * ttlMs + 3000,
  };
}

function reseedFaults({ nodeCount, quorum }: LabSettings): readonly PlannedFault[] {
  const nodes = nodeNames(nodeCount);
  const spare = nodes.slice(quorum);
  if (spare.length < quorum - 1) {
    throw new UsageError(
      `S61 needs a second quorum that shares one node with the first, but ${quorum} of ${nodeCount} share more.`,
    );
  }
  return [
    {
      id: "cut-w1",
      when: at(0),
      fault: { kind: "cut-link", workers: ["W1"], nodes: spare, how: "lose", forMs: CUT_FOR_MS },
    },
    {
      id: "cut-w2",
      when: at(0),
      fault: { kind: "cut-link", workers: ["W2"], nodes: nodes.slice(0, quorum - 1), how: "lose" },
    },
    {
      id: "hold-up",
      when: after(EXTENDS, HELD_UP_AFTER_MS),
      fault: {
        kind: "slow-link",
        workers: ["W1"],
        nodes: spare,
        direction: "request",
        latencyMs: HELD_UP_MS,
        forMs: HELD_UP_FOR_MS,
      },
    },
  ];
}

export const reseedRacesARelease = defineScenario({
  id: "S61",
  title: "Re-seed that races a release",
  summary:
    "W1's extension sends its key again to D and E, which lack it. W1 lets go and W2 holds C, D, E when that arrives, with a delete behind it.",
  story: reseedStory,
  variants: [
    { name: "plain", summary: "SET NX leaves to W2 what W2 has taken.", expect: {} },
    {
      name: "re-seed-by-plain-set",
      summary: "A plain SET overwrites W2's key, the delete removes it, and W3 wins while W2 believes.",
      strategy: "mutant:re-seed-by-plain-set",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", hygiene: "invalid" },
    },
  ],
});
