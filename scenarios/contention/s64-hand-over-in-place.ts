/**
 * S64. A lock is handed over within one process: the next one in line swaps the value in place, and nobody else
 * comes between. The swap reaches only one of the three nodes that hold the lock. The old hold is over before the
 * first swap leaves, so that nothing is believed in any more when a rival wins; a holder that goes on believing until
 * the swap has come through believes in a lock that is gone.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted by A, B, C; 50 its way to B and C is lost; 100 it hands over, and the
 * swap reaches A alone; 150 both values are taken back; 160 W2 is granted by A, D, E; 988 W1's old deadline.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
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

const WORK_SHARE = 0.1;
const LOST_SHARE = 0.05;
const RIVAL_AFTER_ROUND_MS = 10;
const TTL_MIN_MS = 500;

function handOverStory(settings: LabSettings): Story {
  requireTtl(settings, "S64", TTL_MIN_MS);
  const { ttlMs, nodeTimeoutMs } = settings;
  const { first, cuts } = splitQuorums(settings);
  const prepared = planInTurn(cuts.filter(([id]) => id === "cut-w1"));
  const swapLost: PlannedFault = {
    id: "swap-lost",
    when: after(granted("W1"), Math.round(ttlMs * LOST_SHARE)),
    fault: { kind: "cut-link", workers: ["W1"], nodes: first.slice(1), how: "lose" },
  };
  const faults = [...prepared, swapLost];

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: whenAllHold(prepared),
        workMs: Math.round(ttlMs * WORK_SHARE),
        acquireCount: 2,
        grantsMax: 2,
        handsOver: true,
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "section-left", worker: "W1" }, nodeTimeoutMs + RIVAL_AFTER_ROUND_MS),
        waitMs: 2 * ttlMs,
      }),
    ],
    faults,
    staging: [{ kind: "granted-by", worker: "W1", nodes: first }],
    demands: {
      contention: false,
      events: [...appliedEvents(faults), { kind: "acquire-failed", worker: "W1" }, granted("W2")],
    },
    limitMs: 5 * ttlMs + 3000,
  };
}

export const handOverInPlace = defineScenario({
  id: "S64",
  title: "Hand-over in place",
  summary:
    "W1 hands its lock over within its process, by a swap of the value that reaches one node only. W2 wants the lock.",
  story: handOverStory,
  variants: [
    { name: "plain", summary: "The old hold is over before the first swap leaves.", expect: {} },
    {
      name: "swap-while-believing",
      summary: "The old holder goes on believing until the swap has come through, which it never does.",
      strategy: "mutant:swap-while-believing",
      expect: { declared: "invalid", danger: "invalid", hygiene: "invalid" },
    },
  ],
});
