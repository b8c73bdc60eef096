/**
 * S55. The worker is blocked for longer than a node timeout, and shorter than a lifetime, right after its commands
 * have left. When it goes on, all replies are there and the timer has come due; which of them it takes first is not
 * certain. With the timer first the attempt fails although every node has granted it: a false alarm that costs an
 * attempt. It is undone, and the next one succeeds.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import type { StagingCondition, Story } from "../../harness/scenario/run-plan.ts";
import { after, applied, at, granted, inOrder, planWorker } from "../../harness/scenario/story-parts.ts";

const BLOCKED_TIMEOUTS = 2;
/** Less than the lifetime of keys that were left behind. */
const WAIT_SHARE = 0.4;

const UNDONE_FIRST: StagingCondition = inOrder({ kind: "key-deleted" }, granted("W1"));
const GRANTED_FIRST: StagingCondition = inOrder(granted("W1"), { kind: "key-deleted" });

interface Course {
  readonly resumeWith: "timers" | "replies";
  readonly staging: readonly StagingCondition[];
}

const tellAs =
  ({ resumeWith, staging }: Course) =>
  (settings: LabSettings): Story => {
    const { ttlMs, nodeTimeoutMs } = settings;
    const waitMs = Math.round(ttlMs * WAIT_SHARE);
    return {
      workers: [
        planWorker("W1", settings, { startWhen: at(0), waitMs }),
        planWorker("W2", settings, {
          startWhen: after({ kind: "worker-finished", worker: "W1" }),
          waitMs: 2 * ttlMs,
        }),
      ],
      faults: [
        {
          id: "block-w1",
          when: { kind: "before-effect", worker: "W1", effect: "receive" },
          fault: { kind: "pause-worker", worker: "W1", forMs: BLOCKED_TIMEOUTS * nodeTimeoutMs, resumeWith },
        },
      ],
      staging,
      demands: {
        contention: false,
        events: [applied("block-w1"), { kind: "key-set", node: "A" }],
        promptAcquires: { medianBelowMs: waitMs },
      },
      limitMs: 3 * ttlMs + 3000,
    };
  };

export const blockedEventLoop = defineScenario({
  id: "S55",
  title: "Blocked for longer than a node timeout",
  summary:
    "W1 is blocked right after its commands have left. Its timer may come first when it goes on: the attempt fails, is undone, and the next succeeds.",
  story: tellAs({ resumeWith: "timers", staging: [UNDONE_FIRST] }),
  variants: [
    { name: "timers-first", summary: "The attempt fails although every node granted it.", expect: {} },
    {
      name: "replies-first",
      summary: "The replies come first: granted at the first attempt.",
      story: tellAs({ resumeWith: "replies", staging: [GRANTED_FIRST] }),
      expect: {},
    },
    {
      name: "no-undo",
      summary: "The failed attempt is not undone: W1 is kept out by its own dead value.",
      strategy: "mutant:no-undo",
      story: tellAs({ resumeWith: "timers", staging: [] }),
      expect: { settling: "invalid" },
    },
  ],
});
