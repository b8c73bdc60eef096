/**
 * S08. No partition, nobody slow: the time server steps the clocks of a majority forward, all at once. Five nodes are
 * independent of each other only where nothing that they share goes wrong, and they share their time server.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted by all five; 100 the clocks of A, B and C +2000; 110 W2 is granted by A,
 * B and C and writes at 160; 600 W1 writes. Both believe from 115 until W1 lets go.
 *
 * A quorum of four outlasts three such clocks where the lock stands on all five. Fencing protects the resource.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { majorityOf } from "../../harness/scenario/settings-rules.ts";
import { after, applied, at, granted, inOrder } from "../../harness/scenario/story-parts.ts";
import { lateWriterCast } from "../late-writer-cast.ts";
import { BOTH_BELIEVE_FENCED } from "../usual-variants.ts";

const JUMP_AFTER_MS = 100;
const RIVAL_AFTER_MS = 10;
const HOLDER_WORK_SHARE = 0.6;
const TTL_MIN_MS = 500;

function commonJumpStory(settings: LabSettings): Story {
  requireTtl(settings, "S08", TTL_MIN_MS);
  const { nodeCount, ttlMs } = settings;
  const stepped = nodeNames(nodeCount).slice(0, majorityOf(nodeCount));
  const jumps = stepped.map((node) => ({
    id: `jump-${node.toLowerCase()}`,
    when: after(granted("W1"), JUMP_AFTER_MS),
    fault: { kind: "jump-clock", node, byMs: 2 * ttlMs } as const,
  }));
  const lastJump = `jump-${stepped.at(-1)?.toLowerCase()}`;
  return {
    workers: lateWriterCast(settings, {
      holderStart: at(0),
      workShare: HOLDER_WORK_SHARE,
      rivalStart: after(applied(lastJump), RIVAL_AFTER_MS),
    }),
    faults: jumps,
    staging: [inOrder({ kind: "acquire-invoked", worker: "W2" }, { kind: "write-invoked", worker: "W1" })],
    demands: {
      contention: true,
      events: [...stepped.map((node) => ({ kind: "clock-jumped", node }) as const), granted("W2")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const commonClockJump = defineScenario({
  id: "S08",
  title: "Clock jump on a majority",
  summary:
    "W1 holds the lock on all nodes. A time server steps the clocks of A, B and C forward, and W2 acquires there.",
  story: commonJumpStory,
  variants: [
    {
      name: "plain",
      summary: "Three of five forget at once: both believe.",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "quorum-4",
      summary: "Four votes of five: W2 finds three, and waits.",
      settings: { quorum: 4 },
      expect: {},
    },
    BOTH_BELIEVE_FENCED,
  ],
});
