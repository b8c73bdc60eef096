/**
 * S06. So many replies to W1 take longer than a lifetime that its quorum is complete only when the keys have gone and
 * W2 has the lock. Nobody was stopped here: the network is slow in one direction.
 *
 * Times with a TTL of 1000 ms: 0 W1 asks; 2 the keys are set; 1002 they expire; 1010 W2 is granted; 1204 W1's quorum is
 * complete. With a node timeout of 50 ms the attempt is over at 50 and its keys are deleted at 52.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { granted, applied } from "../../harness/scenario/story-parts.ts";
import { slowReplies, slowRepliesCast } from "./slow-replies.ts";

const SLOWER_BY_MS = 200;
/** W2 is there when the late quorum comes. */
const RIVAL_LINGER_MS = 500;
const TTL_MIN_MS = 200;

function lateQuorumStory(settings: LabSettings): Story {
  requireTtl(settings, "S06", TTL_MIN_MS);
  const { nodeCount, quorum, ttlMs } = settings;
  return {
    workers: slowRepliesCast(settings, { holder: {}, rivalLingerMs: RIVAL_LINGER_MS }),
    faults: [slowReplies(nodeNames(nodeCount).slice(0, quorum), ttlMs + SLOWER_BY_MS)],
    staging: [],
    demands: {
      contention: false,
      events: [applied("slow-replies"), { kind: "key-set", node: "A" }, granted("W2")],
    },
    limitMs: 4 * ttlMs + 2000,
  };
}

/** Longer than the replies take. */
const PATIENT_NODE_TIMEOUT_MS = 4000;

export const repliesSlowerThanTtl = defineScenario({
  id: "S06",
  title: "Replies slower than a lifetime",
  summary:
    "Replies from A, B and C take longer than the TTL. When W1's quorum is complete its keys have expired and W2 has the lock.",
  aliases: [
    {
      name: "kleppmann-slow-network",
      source: 'Martin Kleppmann, "How to do distributed locking", 2016: the packets that are held up',
    },
  ],
  story: lateQuorumStory,
  variants: [
    { name: "plain", summary: "The node timeout ends W1's attempt, and the undo follows.", expect: {} },
    {
      name: "patient",
      summary: "W1 would wait for longer than a lifetime, and gives up at the deadline.",
      settings: { nodeTimeoutMs: PATIENT_NODE_TIMEOUT_MS },
      expect: {},
    },
    {
      name: "no-validity-check",
      summary: "W1 waits for its quorum, takes it for a lock, and goes in beside W2.",
      settings: { nodeTimeoutMs: PATIENT_NODE_TIMEOUT_MS },
      strategy: "mutant:no-validity-check",
      expect: { declared: "invalid", actual: "invalid", stale: "invalid" },
    },
  ],
});
