/**
 * S09. A node's wall clock is set back while it holds a key: the key lives longer than its TTL, by as much as the
 * step. Nobody is let in who should not be; somebody may be kept out who should.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 100 the clock -5000. Where W1 releases, its delete ends the key all
 * the same. Where W1 dies at 150, a node is of no use until 6002: one can be spared, and W2 is granted at 1003; of
 * three none can, and W2 waits for five lifetimes.
 */
import type { NodeName } from "../../harness/history/event.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { majorityOf } from "../../harness/scenario/settings-rules.ts";
import { after, at, granted, planWorker } from "../../harness/scenario/story-parts.ts";

const SET_BACK_TTLS = 5;
const SET_BACK_AFTER_MS = 100;
const CRASH_AFTER_MS = 150;
/** W1 dies in its critical section, if it does. */
const HOLDER_WORK_MS = 300;
const TTL_MIN_MS = 400;

interface Telling {
  readonly nodes: (settings: LabSettings) => readonly NodeName[];
  readonly holderDies: boolean;
}

const one = ({ nodeCount }: LabSettings): readonly NodeName[] => nodeNames(nodeCount).slice(0, 1);
const most = ({ nodeCount }: LabSettings): readonly NodeName[] =>
  nodeNames(nodeCount).slice(0, majorityOf(nodeCount));

function setBackStory(settings: LabSettings, { nodes, holderDies }: Telling): Story {
  requireTtl(settings, "S09", TTL_MIN_MS);
  const { ttlMs } = settings;
  const w1Granted = granted("W1");
  const setBack = nodes(settings);
  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), workMs: HOLDER_WORK_MS }),
      planWorker("W2", settings, { startWhen: after(w1Granted), waitMs: (SET_BACK_TTLS + 3) * ttlMs }),
    ],
    faults: [
      ...setBack.map((node) => ({
        id: `set-back-${node.toLowerCase()}`,
        when: after(w1Granted, SET_BACK_AFTER_MS),
        fault: { kind: "jump-clock", node, byMs: -SET_BACK_TTLS * ttlMs } as const,
      })),
      ...(holderDies
        ? [
            {
              id: "crash-w1",
              when: after(w1Granted, CRASH_AFTER_MS),
              fault: { kind: "crash-worker", worker: "W1" } as const,
            },
          ]
        : []),
    ],
    staging: [],
    demands: {
      contention: true,
      events: [
        ...setBack.map((node) => ({ kind: "clock-jumped", node }) as const),
        ...(holderDies ? [{ kind: "worker-killed", worker: "W1" } as const] : []),
        granted("W2"),
      ],
    },
    limitMs: (SET_BACK_TTLS + 5) * ttlMs + 2000,
  };
}

export const clockSetBack = defineScenario({
  id: "S09",
  title: "Clock set back on a node",
  summary:
    "W1 holds the lock when a node's clock is set back by five lifetimes: its key lives so much longer.",
  story: (settings) => setBackStory(settings, { nodes: one, holderDies: true }),
  variants: [
    {
      name: "plain",
      summary: "The holder dies. One node keeps its key, and the others are enough for W2.",
      expect: {},
    },
    {
      name: "released",
      summary: "Three clocks are set back, and the holder releases: nothing is left of it.",
      story: (settings) => setBackStory(settings, { nodes: most, holderDies: false }),
      expect: {},
    },
    {
      name: "majority",
      summary: "The holder dies, and three clocks are set back: nobody is let in for five lifetimes.",
      story: (settings) => setBackStory(settings, { nodes: most, holderDies: true }),
      expect: { recovery: "invalid" },
    },
  ],
});
