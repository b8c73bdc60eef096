/**
 * S24. W1's commands to a majority are held up on the way, and its connections there break. Its attempt is lost and
 * undone, on new connections; and then the old commands arrive and set keys for nobody. Order holds on one
 * connection only.
 *
 * Times: 0 W1 asks, and what it sends to C, D and E takes 800 ms; 40 these connections break, and
 * W1 has lost; 802 C, D and E set its keys; 820 W2 comes by.
 *
 * The undo is repeated on the new connection for as long as the old command may still come. Where the connection stands,
 * the delete goes right behind what it takes back. Nobody is let in who should not be: a ghost costs availability.
 */
import type { Fault } from "../../harness/faults/fault.ts";
import type { NodeName } from "../../harness/history/event.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { majorityOf } from "../../harness/scenario/settings-rules.ts";
import { after, applied, at, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";

const HELD_UP_MS = 800;
/** W1's commands are on their way then. */
const BREAK_AFTER_MS = 40;
/** The old connections are gone then, and whatever W1 sends on new ones is not held up. */
const HELD_UP_FOR_MS = 60;
/** The connections break before W1 gives them up by itself. */
const NODE_TIMEOUT_MS = 100;
/** Where the connections stand, all of it is held up for as long as the first command is. */
const HELD_UP_THROUGHOUT_MS = 900;
const RIVAL_AFTER_MS = 820;
/** Between two repeats of an undo there may be 2050 ms: so long W2 waits for one ghost to go, and then for the rest. */
const PATIENCE_MS = 2200;
/** The last look at the nodes waits a while for deletes that are on their way; a ghost lives longer. */
const TTL_MS = 6000;
const TTL_MIN_MS = 5000;

function ghostStory(settings: LabSettings, { breaks }: { readonly breaks: boolean }): Story {
  requireTtl(settings, "S24", TTL_MIN_MS);
  const { nodeCount, ttlMs } = settings;
  const slow = nodeNames(nodeCount).slice(-majorityOf(nodeCount));
  const asked = { kind: "acquire-invoked", worker: "W1" } as const;
  const heldUp = applied("hold-up");
  return {
    workers: [
      planWorker("W1", settings, { startWhen: after(heldUp) }),
      planWorker("W2", settings, {
        startWhen: after(asked, RIVAL_AFTER_MS),
        waitMs: PATIENCE_MS,
        lingerMs: PATIENCE_MS,
      }),
    ],
    faults: [
      { id: "hold-up", when: at(0), fault: holdUp(slow, breaks ? HELD_UP_FOR_MS : HELD_UP_THROUGHOUT_MS) },
      ...(breaks ? [{ id: "break", when: after(heldUp, BREAK_AFTER_MS), fault: breakOf(slow) }] : []),
    ],
    staging: breaks ? [inOrder(asked, applied("break"))] : [],
    demands: {
      contention: false,
      events: [
        heldUp,
        ...(breaks ? [applied("break")] : []),
        { kind: "acquire-failed", worker: "W1" },
        ...slow.map((node) => ({ kind: "key-set", node }) as const),
        { kind: "acquire-invoked", worker: "W2" },
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

function holdUp(nodes: readonly NodeName[], forMs: number): Fault {
  return {
    kind: "slow-link",
    workers: ["W1"],
    nodes,
    direction: "request",
    latencyMs: HELD_UP_MS,
    forMs,
  };
}

const breakOf = (nodes: readonly NodeName[]): Fault => ({ kind: "reset-link", workers: ["W1"], nodes });

export const ghostKey = defineScenario({
  id: "S24",
  title: "Command that arrives behind its undo",
  summary:
    "What W1 sends to C, D and E is held up, its connections break, it undoes on new ones, and then the old commands arrive.",
  settings: { ttlMs: TTL_MS, nodeTimeoutMs: NODE_TIMEOUT_MS },
  story: (settings) => ghostStory(settings, { breaks: true }),
  variants: [
    {
      name: "plain",
      summary: "The undo is repeated until the old command cannot come any more.",
      expect: {},
    },
    {
      name: "same-connection",
      summary: "The connections stand, and each delete arrives right behind what it takes back.",
      story: (settings) => ghostStory(settings, { breaks: false }),
      expect: {},
    },
    {
      name: "undo-only-yes-votes",
      summary: "Who had not answered is not undone: its key is set when nobody wants it any more.",
      strategy: "mutant:undo-only-yes-votes",
      story: (settings) => ghostStory(settings, { breaks: false }),
      // W2 gives up: nobody ever holds the lock, so that nothing can be said of holders.
      expect: { hygiene: "invalid", declared: "any", actual: "any", danger: "any" },
    },
  ],
});
