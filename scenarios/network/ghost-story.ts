/**
 * W1's commands to a majority are held up on the way, and its connections there break. Its attempt is lost and undone,
 * on new connections; the old commands are still on their way then. Order holds on one connection only.
 */
import type { Fault } from "../../harness/faults/fault.ts";
import type { NodeName } from "../../harness/history/event.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story, VacuityDemand } from "../../harness/scenario/run-plan.ts";
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

export interface GhostStory {
  /** The scenario's, for its refusals. */
  readonly id: string;
  /** W1's connections break while its commands are on their way. */
  readonly breaks: boolean;
  /** What becomes of the old commands, and of W2 who comes by after they have arrived. */
  readonly comesToPass: (slow: readonly NodeName[]) => VacuityDemand["events"];
}

export const GHOST_SETTINGS = { ttlMs: TTL_MS, nodeTimeoutMs: NODE_TIMEOUT_MS };

export const setOnEach = (slow: readonly NodeName[]): VacuityDemand["events"] =>
  slow.map((node) => ({ kind: "key-set", node }) as const);

export function ghostStory(settings: LabSettings, { id, breaks, comesToPass }: GhostStory): Story {
  requireTtl(settings, id, TTL_MIN_MS);
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
        ...comesToPass(slow),
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
