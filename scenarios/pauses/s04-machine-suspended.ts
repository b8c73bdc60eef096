/**
 * S04. The machine of the holder stands still: a laptop's lid, a virtual machine that is moved. Its monotonic clock
 * stands still with it, so that W1 finds nearly all of its lock left when it wakes, and W2 has had it for a while.
 * The argument that a holder can look at its clock does not cover a clock that has been stopped.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 10 its machine stops; 4800 W2 is granted; 5010 W1 wakes and believes
 * until 5987, W2 until 5788.
 *
 * A look at the deadline before the write looks at the same clock. A clock that goes on while the machine stands
 * still tells the truth, for whoever looks: the wall clock, which has vices of its own (S12, S13), or the time since
 * the boot, by which the coordinator counts suspensions in where it can (on Linux). Fencing protects the resource
 * whatever the clocks do.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";
import { BOTH_BELIEVE_FENCED } from "../usual-variants.ts";

const SUSPEND_AFTER_MS = 5;
const SUSPENDED_TTLS = 5;
/** W2 is granted so long before W1 wakes. */
const RIVAL_BEFORE_MS = 210;
/** W2 has written when W1 wakes, and W1 writes after that. */
const RIVAL_WORK_MS = 50;
const HOLDER_WORK_MS = 100;
/** Both are still there when the other one is. */
const LINGER_SHARE = 0.5;
const TTL_MIN_MS = 500;

function suspendedStory(settings: LabSettings): Story {
  requireTtl(settings, "S04", TTL_MIN_MS);
  const { ttlMs, checkBeforeWrite } = settings;
  const forMs = SUSPENDED_TTLS * ttlMs;
  const lingerMs = Math.round(ttlMs * LINGER_SHARE);
  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: HOLDER_WORK_MS, lingerMs }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "worker-suspended", worker: "W1" }, forMs - RIVAL_BEFORE_MS),
        workMs: RIVAL_WORK_MS,
        lingerMs,
        checkBeforeWrite: false,
      }),
    ],
    faults: [
      {
        id: "suspend-w1",
        when: after(granted("W1"), SUSPEND_AFTER_MS),
        fault: { kind: "suspend-worker", worker: "W1", forMs },
      },
    ],
    staging: [inOrder({ kind: "write-judged", worker: "W2" }, { kind: "worker-resumed", worker: "W1" })],
    demands: {
      contention: true,
      events: [
        applied("suspend-w1"),
        { kind: "worker-resumed", worker: "W1" },
        ...(checkBeforeWrite ? [] : [{ kind: "write-judged", worker: "W1" } as const]),
      ],
    },
    limitMs: 2 * SUSPENDED_TTLS * ttlMs,
  };
}

export const machineSuspended = defineScenario({
  id: "S04",
  title: "Machine of the holder suspended",
  summary:
    "W1's machine stands still for five lifetimes, its monotonic clock too. W2 acquires; W1 wakes and believes that hardly any time has passed.",
  story: suspendedStory,
  variants: [
    {
      name: "plain",
      summary: "The stopped clock says that the lock lives: both believe at once.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "checked",
      summary: "W1 looks at its deadline before it writes, on the clock that had been stopped.",
      settings: { checkBeforeWrite: true },
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    BOTH_BELIEVE_FENCED,
    {
      name: "running-clock",
      summary: "W1 reads a clock that went on meanwhile, looks, and does not write.",
      settings: { checkBeforeWrite: true },
      strategy: "mutant:wall-clock",
      expect: { actual: "invalid" },
    },
    {
      name: "noticed",
      summary:
        "The coordinator counts the suspension in: W1's lock is over when it wakes, and it does not write.",
      settings: { noticesSuspension: true, checkBeforeWrite: true },
      expect: { actual: "invalid" },
    },
  ],
});
