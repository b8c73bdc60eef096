/**
 * S60. A holder extends by less than it has left, and the replies are lost. Its belief lasts to the old deadline, as
 * it must; so the keys must, too. An extension that also shortens takes them away from under the belief. It only
 * raises.
 *
 * Times with a TTL of 1000 ms: 0 W1 is granted; 100 it extends to 200 ms; 302 the keys of who shortens are gone; 315
 * W2 comes by; 988 the deadline.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { after, appliedEvents, at, granted, planWorker } from "../../harness/scenario/story-parts.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { overtakenExtensionStory } from "./overtaken-extension-story.ts";

const EXTEND_SHARE = 0.1;
const REPLIES_LOST_SHARE = 0.05;
const SHORT_SHARE = 0.2;
/** The extension has run everywhere; that it is asked again reaches nobody, or it would keep the keys alive. */
const CUT_AFTER_MS = 20;
const RIVAL_AFTER_MS = 15;

const TTL_MIN_MS = 500;

function shorteningStory(settings: LabSettings): Story {
  requireTtl(settings, "S60", TTL_MIN_MS);
  const { ttlMs } = settings;
  const shortMs = Math.round(ttlMs * SHORT_SHARE);
  const faults = lossFaults(settings);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: at(0),
        workMs: Math.round(ttlMs * EXTEND_SHARE),
        extendMs: shortMs,
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "extend-invoked", worker: "W1" }, shortMs + RIVAL_AFTER_MS),
        waitMs: 2 * ttlMs,
      }),
    ],
    faults,
    staging: [],
    demands: {
      contention: true,
      events: [
        ...appliedEvents(faults),
        granted("W1"),
        { kind: "extend-failed", worker: "W1" },
        granted("W2"),
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

function lossFaults({ nodeCount, ttlMs }: LabSettings): readonly PlannedFault[] {
  const link = { kind: "cut-link", workers: ["W1"], nodes: nodeNames(nodeCount), how: "lose" } as const;
  return [
    {
      id: "replies-lost",
      when: after(granted("W1"), Math.round(ttlMs * REPLIES_LOST_SHARE)),
      fault: { ...link, direction: "reply" },
    },
    {
      id: "requests-lost",
      when: after({ kind: "extend-invoked", worker: "W1" }, CUT_AFTER_MS),
      fault: { ...link, direction: "request" },
    },
  ];
}

export const shorteningExtension = defineScenario({
  id: "S60",
  title: "An extension that would shorten",
  summary:
    "W1 extends by less than it has left and hears nothing. The keys live as long as it believes, and W2 waits for that.",
  story: shorteningStory,
  variants: [
    { name: "plain", summary: "An extension only raises.", expect: {} },
    {
      name: "overtaken",
      summary: "A short extension that was held up runs behind longer ones: it shortens nothing.",
      story: overtakenExtensionStory,
      expect: {},
    },
    {
      name: "shortening-extend",
      summary: "The keys are gone after 200 ms while W1 believes until its deadline.",
      strategy: "mutant:shortening-extend",
      expect: { declared: "invalid", actual: "invalid", danger: "invalid", stale: "invalid" },
    },
    {
      name: "shortening-overtaken",
      summary: "The extension that was held up takes the keys away from under the longer belief.",
      strategy: "mutant:shortening-extend",
      story: overtakenExtensionStory,
      expect: { declared: "invalid", actual: "invalid", danger: "invalid" },
    },
  ],
});
