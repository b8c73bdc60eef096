/**
 * S34. Some nodes are out of reach when the holder releases. Their keys stay until they expire, and who comes next
 * and needs one of those nodes waits for that: a lifetime of unavailability at most. The release itself comes back
 * in its own time with an outcome, and throws for nothing: the section is over whatever the nodes say.
 */
import { UsageError } from "../../harness/lab-error.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  applied,
  appliedEvents,
  at,
  granted,
  inOrder,
  planWorker,
} from "../../harness/scenario/story-parts.ts";
import { outageFaults } from "../outages/outage-faults.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";

/** The outage has to hold before the release. */
const LINGER_MS = 100;

/** @param missing how many nodes the release does not reach. */
function releaseStory(settings: LabSettings, missing: "minority" | "majority"): Story {
  const { nodeCount, quorum, ttlMs } = settings;
  const nodes = nodeNames(nodeCount);
  const spareCount = nodeCount - quorum;
  const [last] = nodes.slice(-1);
  if (spareCount === 0 || last === undefined) {
    throw new UsageError(`S34 needs a node that may fail, but a quorum of ${quorum} takes all ${nodeCount}.`);
  }
  const away = nodes.slice(0, missing === "minority" ? spareCount : spareCount + 1);
  const faults: readonly PlannedFault[] = [
    {
      id: "cut-w2",
      when: at(0),
      fault: { kind: "cut-link", workers: ["W2"], nodes: [last], how: "lose" },
    },
    ...outageFaults(settings, { workers: ["W1"], nodes: away }).map(([id, fault]) => ({
      id,
      when: after({ kind: "write-returned", worker: "W1" }),
      fault,
    })),
  ];

  return {
    workers: [
      planWorker("W1", settings, { startWhen: at(0), lingerMs: LINGER_MS }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "release-returned", worker: "W1" }),
        waitMs: 2 * ttlMs,
      }),
    ],
    faults,
    staging: [inOrder(applied("outage"), { kind: "release-invoked", worker: "W1" })],
    demands: {
      contention: true,
      events: [...appliedEvents(faults), { kind: "release-returned", worker: "W1" }, granted("W2")],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

export const releaseOutOfReach = defineScenario({
  id: "S34",
  title: "Release that does not reach every node",
  summary:
    "W1 releases while A and B are out of its reach. Their keys stay until they expire, and W2 waits for that.",
  story: (settings) => releaseStory(settings, "minority"),
  variants: [
    {
      name: "refused",
      summary: "Connections to A and B are refused.",
      settings: { outage: "refuse" },
      expect: {},
    },
    {
      name: "black-holed",
      summary: "What is sent to A and B vanishes.",
      settings: { outage: "lose" },
      expect: {},
    },
    {
      name: "unconfirmed",
      summary: "A, B and C do not answer: the release comes back all the same, unconfirmed.",
      settings: { outage: "lose" },
      story: (settings) => releaseStory(settings, "majority"),
      expect: {},
    },
  ],
});
