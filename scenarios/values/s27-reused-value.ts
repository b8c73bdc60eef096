/**
 * S27. All attempts of one acquire use one value, and a node that has it already counts as a yes. It looks harmless,
 * and saves a round trip. Then the delete of an earlier attempt, held up on another connection, arrives when a later
 * attempt has won with the same value.
 *
 * Times with a TTL of 1000 ms, W1 cut off from D and E: 0 W3 holds C, D and E; 5 W1 gets A and B only; 55 it gives up and
 * sends deletes to A and B, which take 300 ms; their connections break; 100 W3 releases; 165 W1 is granted by A, B and
 * C; 357 the old deletes arrive; 380 W2 comes by, and W1 believes until 1150.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";
import {
  after,
  applied,
  appliedEvents,
  granted,
  planInTurn,
  planWorker,
} from "../../harness/scenario/story-parts.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";

const FIRST_HOLDER_WORK_MS = 90;
const UNDO_LATENCY_MS = 300;
/** The deletes are on their way when the connections break, and no further attempt is: it waits for 1 ms at least. */
const RESET_AFTER_MS = 0.5;
/** What is sent on the new connections is not held up. */
const SLOW_FOR_MS = 0.75;
/** W2 comes so long after the deletes have arrived. */
const RIVAL_AFTER_MS = 30;
/** W1 writes last, long after W2 has had the time to be granted and to write. */
const HOLDER_WORK_SHARE = 0.6;
/** W2 still believes then. */
const RIVAL_LINGER_SHARE = 0.6;
const TTL_MIN_MS = 900;

function reusedValueStory(settings: LabSettings): Story {
  requireTtl(settings, "S27", TTL_MIN_MS);
  const faults = faultsOf(settings);
  return {
    workers: cast(settings),
    faults,
    staging: [],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), ...["W1", "W2", "W3"].map((worker) => granted(worker))],
    },
    limitMs: 6 * settings.ttlMs + 2000,
  };
}

function cast(settings: LabSettings): readonly WorkerPlan[] {
  const { ttlMs } = settings;
  return [
    planWorker("W1", settings, {
      startWhen: after(granted("W3")),
      waitMs: 3 * FIRST_HOLDER_WORK_MS,
      workMs: Math.round(ttlMs * HOLDER_WORK_SHARE),
    }),
    planWorker("W2", settings, {
      startWhen: after(applied("slow-undo"), UNDO_LATENCY_MS + RIVAL_AFTER_MS),
      waitMs: 2 * ttlMs,
      lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
    }),
    planWorker("W3", settings, {
      startWhen: after(applied("cut-w3")),
      workMs: FIRST_HOLDER_WORK_MS,
    }),
  ];
}

function faultsOf(settings: LabSettings): readonly PlannedFault[] {
  const { first, last } = splitQuorums(settings);
  const onlyFirst = first.filter((node) => !last.includes(node));
  const onlyLast = last.filter((node) => !first.includes(node));
  return [
    ...planInTurn([
      ["cut-w1", { kind: "cut-link", workers: ["W1"], nodes: onlyLast, how: "lose" }],
      ["cut-w3", { kind: "cut-link", workers: ["W3"], nodes: onlyFirst, how: "lose" }],
    ]),
    {
      id: "slow-undo",
      when: { kind: "before-effect", worker: "W1", effect: "detach" },
      fault: {
        kind: "slow-link",
        workers: ["W1"],
        nodes: onlyFirst,
        direction: "request",
        latencyMs: UNDO_LATENCY_MS,
        forMs: SLOW_FOR_MS,
      },
    },
    {
      id: "break",
      when: after(applied("slow-undo"), RESET_AFTER_MS),
      fault: { kind: "reset-link", workers: ["W1"], nodes: onlyFirst },
    },
  ];
}

export const reusedValue = defineScenario({
  id: "S27",
  title: "One value for all attempts",
  summary:
    "W1's first attempt fails and its deletes are held up. A later attempt wins with the same value, and the deletes take its keys away.",
  story: reusedValueStory,
  variants: [
    {
      name: "plain",
      summary: "Each attempt draws a value of its own: old deletes find nothing.",
      expect: {},
    },
    {
      name: "reused-token",
      summary: "The old deletes name the value that W1 believes in, and W2 gets in.",
      strategy: "mutant:reused-token",
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
