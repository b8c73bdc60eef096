/**
 * Two workers on the two sides of a partition meet on one node. That node goes down while W1 holds the lock, comes
 * back, and votes for W2 if it has forgotten. Told by S14 (killed), S15 (power loss) and S16 (delayed restart).
 *
 * Times with a TTL of 1000 ms and a bare restart: 0 W1 is granted by A, B, C; 50 C goes down; 120 C is back; 130 W2
 * asks C, D, E and goes on asking; 700 W1 writes and lets go.
 */
import type { Trigger } from "../../harness/faults/trigger.ts";
import type { NodeName } from "../../harness/history/event.ts";
import { downTimeMs } from "../../harness/scenario/down-time.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";
import {
  after,
  appliedEvents,
  granted,
  type NamedFault,
  planInTurn,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { lateWriterCast } from "../late-writer-cast.ts";
import { splitStaging } from "../split-staging.ts";

const DOWN_AFTER_MS = 50;
const RIVAL_AFTER_MS = 10;
const HOLDER_WORK_SHARE = 0.7;
/** About what W1's first round takes. */
const ROUND_MS = 5;
const SECOND_MS = 1000;

/** The node has to be back, and both workers to be granted and to write, within W1's lifetime. */
const TTL_MIN_MS = 600;

export interface Downfall {
  readonly scenario: string;
  readonly how: "killed" | "power-loss";
  /** How long after the node is back W2 comes by. */
  readonly rivalAfterMs?: number;
  /** Where the node's second hand stands when it comes back. */
  readonly backAtPhaseMs?: number;
}

export function forgetfulNodeStory(settings: LabSettings, downfall: Downfall): Story {
  const { scenario, how, rivalAfterMs = RIVAL_AFTER_MS } = downfall;
  requireTtl(settings, scenario, TTL_MIN_MS);
  const { ttlMs } = settings;
  const { first, shared, sharedCount, cuts } = splitQuorums(settings);
  // A disk that lies makes the loss certain; by itself the first write after an idle time is synced at once.
  const lyingDisk: NamedFault = ["hold-sync", { kind: "hold-sync", node: shared }];
  const preparations = planInTurn([...(how === "power-loss" ? [lyingDisk] : []), ...cuts]);

  return {
    workers: lateWriterCast(settings, {
      holderStart: whenAllHold(preparations),
      workShare: HOLDER_WORK_SHARE,
      rivalStart: rivalStart(settings, shared, rivalAfterMs),
      rivalWaitsLongerMs: downTimeMs(settings),
    }),
    faults: [
      ...preparations,
      {
        id: "down",
        when: after(granted("W1"), DOWN_AFTER_MS),
        fault: {
          kind: how === "killed" ? "crash-node" : "lose-power",
          node: shared,
          downForMs: downTimeMs(settings),
        },
      },
    ],
    staging: splitStaging(first, { bothWin: sharedCount === 1 && comesBackForgetful(settings, how) }),
    demands: {
      contention: true,
      events: [
        ...appliedEvents(preparations),
        { kind: "node-down", node: shared },
        { kind: "node-up", node: shared },
        granted("W2"),
      ],
    },
    limitMs: 5 * ttlMs + 2 * downTimeMs(settings) + 3000,
    ...clockPhase(settings, downfall),
  };
}

/** The start of the run is so much earlier than the node's return: a round, what W1 has of the lock, the down time. */
function clockPhase(settings: LabSettings, { backAtPhaseMs }: Downfall): Pick<Story, "clockPhaseMs"> {
  if (backAtPhaseMs === undefined) return {};
  const backAtMs = ROUND_MS + DOWN_AFTER_MS + downTimeMs(settings);
  return { clockPhaseMs: (backAtPhaseMs + SECOND_MS - (backAtMs % SECOND_MS)) % SECOND_MS };
}

/** W2 comes by when a bare restart is over. With a delayed restart it then finds the node still away. */
function rivalStart(settings: LabSettings, shared: NodeName, rivalAfterMs: number): Trigger {
  return settings.delayedRestart
    ? after({ kind: "node-down", node: shared }, settings.restartAfterMs + rivalAfterMs)
    : after({ kind: "node-up", node: shared }, rivalAfterMs);
}

/** True where the node votes again while W1 believes, and has lost its key. */
function comesBackForgetful(
  { persistence, delayedRestart, restartGuard }: LabSettings,
  how: Downfall["how"],
): boolean {
  const keepsKey = persistence === "aof-always" || (persistence === "aof-everysec" && how === "killed");
  return !delayedRestart && !restartGuard && !keepsKey;
}
