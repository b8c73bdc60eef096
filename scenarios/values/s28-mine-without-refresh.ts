/**
 * S28. A node that has the value already counts as a yes, and its key keeps the lifetime that it got from an attempt
 * long ago. The holder counts a whole lifetime from its last attempt; the old key is gone long before.
 *
 * Times with a TTL of 1000 ms, W1 cut off from D and E: 0 W3 holds B to E; 5 W1 gets A only, and tries on; 800 W3
 * releases; about 900 W1 is granted by A, B and C; 1007 A's key expires; 1030 W2 is granted by A, D and E, while W1
 * believes until about 1890.
 */
import { UsageError } from "../../harness/lab-error.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, planWorker } from "../../harness/scenario/story-parts.ts";

const FIRST_HOLDER_WORK_SHARE = 0.78;
/** W2 comes so long after the key of the first attempt has expired. */
const RIVAL_AFTER_MS = 30;
/** W1 writes last, long after W2 has had the time to be granted and to write. */
const HOLDER_WORK_SHARE = 0.6;
/** W2 still believes then. */
const RIVAL_LINGER_SHARE = 0.7;
/** An attempt that meets a silent node, and the pause behind it, fit between W3's release and the old key's end. */
const TTL_MIN_MS = 900;

function withoutRefreshStory(settings: LabSettings): Story {
  requireTtl(settings, "S28", TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs } = settings;
  const nodes = nodeNames(nodeCount);
  if (quorum === nodeCount) {
    throw new UsageError(`S28 needs a node that may be away, but a quorum of ${quorum} takes all of them.`);
  }
  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: after(granted("W3")),
        waitMs: 2 * ttlMs,
        workMs: Math.round(ttlMs * HOLDER_WORK_SHARE),
      }),
      planWorker("W2", settings, {
        startWhen: after(granted("W3"), ttlMs + RIVAL_AFTER_MS),
        waitMs: 2 * ttlMs,
        lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
      }),
      planWorker("W3", settings, {
        startWhen: after(applied("cut-w3")),
        workMs: Math.round(ttlMs * FIRST_HOLDER_WORK_SHARE),
      }),
    ],
    faults: [
      {
        id: "cut-w1",
        when: at(0),
        fault: { kind: "cut-link", workers: ["W1"], nodes: nodes.slice(quorum), how: "lose" },
      },
      {
        id: "cut-w3",
        when: after(applied("cut-w1")),
        fault: { kind: "cut-link", workers: ["W3"], nodes: nodes.slice(0, 1), how: "lose" },
      },
    ],
    staging: [],
    demands: {
      contention: true,
      events: [applied("cut-w1"), applied("cut-w3"), granted("W1"), granted("W2"), granted("W3")],
    },
    limitMs: 7 * ttlMs + 2000,
  };
}

export const mineWithoutRefresh = defineScenario({
  id: "S28",
  title: "Already mine, with an old lifetime",
  summary:
    "A has had W1's value since its first attempt. The one that wins counts it, and A's key expires while W1 believes.",
  story: withoutRefreshStory,
  variants: [
    {
      name: "plain",
      summary: "Each attempt sets keys of its own, with a lifetime of their own.",
      expect: {},
    },
    {
      name: "idempotent-without-refresh",
      summary: "W1 counts the old key, which expires, and W2 gets in.",
      strategy: "mutant:idempotent-without-refresh",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
  ],
});
