/**
 * S58. The replies to a renewal are lost. Silence is no loss: the holder asks again until its deadline, and undoes
 * nothing, because its value is still believed in. Who undoes every round that was not won, the renewal's too,
 * deletes its own living lock, and a rival takes it.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted by A, B, C; 300 it extends; 350 the round is over; 360 W2 comes by;
 * 988 the deadline.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";
import {
  after,
  appliedEvents,
  granted,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";

const EXTEND_SHARE = 0.3;
const LOST_SHARE = 0.25;
const RIVAL_AFTER_ROUND_MS = 10;

const TTL_MIN_MS = 500;

function lostRenewalStory(settings: LabSettings): Story {
  requireTtl(settings, "S58", TTL_MIN_MS);
  const { ttlMs, nodeTimeoutMs } = settings;
  const { first, cuts } = splitQuorums(settings);
  const prepared = planInTurn(cuts.filter(([id]) => id === "cut-w1"));
  const repliesLost: PlannedFault = {
    id: "replies-lost",
    when: after(granted("W1"), Math.round(ttlMs * LOST_SHARE)),
    fault: { kind: "cut-link", workers: ["W1"], nodes: first, how: "lose", direction: "reply" },
  };
  const faults = [...prepared, repliesLost];

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(prepared),
        workMs: Math.round(ttlMs * EXTEND_SHARE),
        extendMs: ttlMs,
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "extend-invoked", worker: "W1" }, nodeTimeoutMs + RIVAL_AFTER_ROUND_MS),
        waitMs: 2 * ttlMs,
      }),
    ],
    faults,
    staging: [{ kind: "granted-by", worker: "W1", nodes: first }],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        { kind: "key-raised", node: "A" },
        { kind: "extend-failed", worker: "W1" },
        granted("W2"),
      ],
    },
    limitMs: 5 * ttlMs + 3000,
  };
}

export const undoOfALostRenewal = defineScenario({
  id: "S58",
  title: "Undo of a lost renewal",
  summary: "W1 holds the lock on A, B and C and extends it; the replies are lost. W2 waits until W1 is done.",
  story: lostRenewalStory,
  variants: [
    { name: "plain", summary: "A lost renewal is asked again and never undone.", expect: {} },
    {
      name: "undo-lost-renewal",
      summary: "The lost renewal is undone like an acquire: W1 deletes the lock that it believes in.",
      strategy: "mutant:undo-lost-renewal",
      expect: {
        declared: "invalid",
        actual: "invalid",
        danger: "invalid",
        stale: "invalid",
        hygiene: "invalid",
      },
    },
  ],
});
