/**
 * S05. The holder does everything right: it writes while its lock lives. The write is held up on its way to the
 * resource, and arrives when the lock has expired and W2 has written.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 900 W1 writes; 988 its deadline; 1010 W2 is granted; 1020 W2 writes;
 * 1402 W1's write arrives.
 *
 * Nothing on the side of the lock can help: a look at the deadline says, rightly, that there is time left. Only the
 * resource can tell the late write from a new one, by its fencing token.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";
import { LATE_WRITE_FENCED } from "../usual-variants.ts";

const HELD_UP_MS = 500;
/** W1 writes so long before the end of its lifetime: its deadline comes only after that. */
const WRITE_BEFORE_END_MS = 100;
const RIVAL_AFTER_MS = 10;
const RIVAL_WORK_MS = 10;
/** W2 is asked for a second time if it came a little early. */
const RIVAL_WAIT_MS = 200;
const TTL_MIN_MS = 200;

function delayedWriteStory(settings: LabSettings): Story {
  requireTtl(settings, "S05", TTL_MIN_MS);
  const { ttlMs, driftFactor } = settings;
  // Where the drift takes more than usual, the last moment to write comes earlier.
  const driftMs = Math.max(0, Math.ceil(ttlMs * driftFactor) - WRITE_BEFORE_END_MS / 2);
  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: after(applied("slow-resource")),
        workMs: ttlMs - WRITE_BEFORE_END_MS - driftMs,
      }),
      planWorker("W2", settings, {
        startWhen: after(granted("W1"), ttlMs + RIVAL_AFTER_MS),
        waitMs: RIVAL_WAIT_MS,
        workMs: RIVAL_WORK_MS,
      }),
    ],
    faults: [
      {
        id: "slow-resource",
        when: at(0),
        fault: { kind: "slow-resource", worker: "W1", latencyMs: HELD_UP_MS },
      },
    ],
    staging: [
      // W1 sent its write while it believed, and it arrived behind W2's.
      inOrder({ kind: "write-invoked", worker: "W1" }, { kind: "belief-ended", worker: "W1" }),
      inOrder({ kind: "write-judged", worker: "W2" }, { kind: "write-judged", worker: "W1" }),
    ],
    demands: {
      contention: true,
      events: [
        applied("slow-resource"),
        { kind: "write-judged", worker: "W1" },
        { kind: "write-judged", worker: "W2" },
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const delayedWrite = defineScenario({
  id: "S05",
  title: "Write held up on its way to the resource",
  summary:
    "W1 writes while its lock lives. The write is held up, W2 acquires and writes, and then W1's write arrives.",
  story: delayedWriteStory,
  variants: [
    {
      name: "plain",
      summary: "Nothing protects the resource: the late write is accepted.",
      expect: { actual: "invalid", stale: "invalid" },
    },
    {
      name: "checked",
      summary: "W1 looks at its deadline first, and there is time left.",
      settings: { checkBeforeWrite: true },
      expect: { actual: "invalid", stale: "invalid" },
    },
    LATE_WRITE_FENCED,
  ],
});
