/**
 * S23. A lost attempt leaves its keys behind, and the next attempt meets them: W1 is refused by its own past, and
 * everybody else by it too, until the keys expire.
 *
 * Times: 0 W2 is granted by C, D and E; 20 C goes down; 25 W1 gets A and B and no more; 105 W2 releases D and E. From
 * then on four nodes are free, unless A and B still have what W1's first attempt set there. W1 gives up at 425.
 */
import type { EventPattern } from "../../harness/faults/event-pattern.ts";
import { UsageError } from "../../harness/lab-error.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";

const DOWN_AFTER_MS = 15;
const FIRST_HOLDER_WORK_MS = 100;
/** W1 gives up while what it left behind still lives. */
const WAIT_MS = 400;
/** The last look at the nodes waits a while for deletes that are on their way; what is left behind lives longer. */
const TTL_MS = 5000;
const TTL_MIN_MS = 3000;

function selfBlockingStory(settings: LabSettings, shown: EventPattern): Story {
  requireTtl(settings, "S23", TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs } = settings;
  if (quorum === nodeCount) {
    throw new UsageError(`S23 needs a node that may fail, but a quorum of ${quorum} takes all of them.`);
  }
  const nodes = nodeNames(nodeCount);
  const [down = "A"] = nodes.slice(nodeCount - quorum);
  return {
    workers: [
      planWorker("W1", settings, { startWhen: after({ kind: "node-down", node: down }), waitMs: WAIT_MS }),
      planWorker("W2", settings, {
        startWhen: after(applied("cut-w2")),
        workMs: FIRST_HOLDER_WORK_MS,
      }),
    ],
    faults: [
      {
        id: "cut-w2",
        when: at(0),
        fault: { kind: "cut-link", workers: ["W2"], nodes: nodes.slice(0, nodeCount - quorum), how: "lose" },
      },
      {
        id: "down",
        when: after(granted("W2"), DOWN_AFTER_MS),
        fault: { kind: "crash-node", node: down },
      },
    ],
    staging: [inOrder({ kind: "acquire-invoked", worker: "W1" }, { kind: "release-invoked", worker: "W2" })],
    demands: {
      contention: true,
      events: [
        applied("cut-w2"),
        { kind: "node-down", node: down },
        { kind: "release-returned", worker: "W2" },
        shown,
      ],
    },
    limitMs: 4 * ttlMs + 2000,
  };
}

export const noUndo = defineScenario({
  id: "S23",
  title: "Attempts that are not undone",
  summary:
    "C is down and W2 holds D and E. W1 gets A and B only; when W2 has let go, four nodes are free, if W1 has undone.",
  settings: { ttlMs: TTL_MS },
  story: (settings) => selfBlockingStory(settings, granted("W1")),
  variants: [
    { name: "plain", summary: "Each lost attempt is undone, and W1 wins when W2 lets go.", expect: {} },
    {
      name: "no-undo",
      summary: "W1 is refused by the keys that it left on A and B, gives up, and leaves more.",
      strategy: "mutant:no-undo",
      story: (settings) => selfBlockingStory(settings, { kind: "acquire-failed", worker: "W1" }),
      expect: { hygiene: "invalid" },
    },
  ],
});
