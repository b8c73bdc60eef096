/**
 * S33. A renewal is under way when the work ends and the lock is released. Whatever becomes of it, it must not keep
 * the released lock alive: the release ends the belief, no timer is left behind, and a key that has gone is never
 * made again. W2 acquires right after the release, and not a lifetime later.
 *
 * In order: the extension runs on each node before the delete behind it. Overtaken: it is held up on a connection
 * that is reset, the delete goes over the next one, and the extension arrives when W2 has the lock.
 */
import { deadlineOf } from "../../src/core/validity.ts";
import type { PlannedFault } from "../../harness/faults/fault.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import {
  after,
  appliedEvents,
  at,
  granted,
  inOrder,
  planWorker,
} from "../../harness/scenario/story-parts.ts";

/** A renewal comes when a third of the lifetime is over. */
const RENEWED_BEFORE_SHARE = 2 / 3;
const SLOW_AFTER_SHARE = 0.2;
/** W1 writes and lets go while its renewal is under way. */
const RELEASE_AFTER_RENEWAL_MS = 5;
const HELD_UP_MS = 30;
const OVERTAKEN_MS = 200;
const RESET_AFTER_MS = 6;
/** What is on a connection when the link is slow no longer hurries: the reset has to come first. */
const SLOW_AFTER_RENEWAL_MS = 10;
/** Less than what a lock that was renewed by mistake would live. */
const RIVAL_WAITS_SHARE = 0.4;
const RIVAL_LINGER_SHARE = 0.3;

const TTL_MIN_MS = 800;

function lateRenewalStory(settings: LabSettings, isOvertaken: boolean): Story {
  requireTtl(settings, "S33", TTL_MIN_MS);
  const { ttlMs } = settings;
  const renewalAtMs = firstRenewalMs(settings);
  const faults = isOvertaken
    ? overtaking(settings, renewalAtMs)
    : [slow(settings, { latencyMs: HELD_UP_MS })];
  const rivalWaitMs = Math.round(ttlMs * RIVAL_WAITS_SHARE);

  return {
    workers: [
      planWorker("W1", settings, {
        startWhen: at(0),
        workMs: renewalAtMs + RELEASE_AFTER_RENEWAL_MS,
        renews: true,
      }),
      planWorker("W2", settings, {
        startWhen: after({ kind: "release-returned", worker: "W1" }),
        waitMs: rivalWaitMs,
        lingerMs: Math.round(ttlMs * RIVAL_LINGER_SHARE),
      }),
    ],
    faults,
    staging: [
      inOrder({ kind: "extend-invoked", worker: "W1" }, { kind: "release-invoked", worker: "W1" }),
      inOrder({ kind: "release-invoked", worker: "W1" }, { kind: "extend-failed", worker: "W1" }),
    ],
    demands: {
      contention: true,
      events: appliedEvents(faults),
      promptAcquires: { medianBelowMs: rivalWaitMs },
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

function firstRenewalMs({ ttlMs, driftFactor }: LabSettings): number {
  return Math.round(deadlineOf({ startedAtMs: 0, ttlMs, driftFactor }) - ttlMs * RENEWED_BEFORE_SHARE);
}

function overtaking(settings: LabSettings, renewalAtMs: number): readonly PlannedFault[] {
  const forMs = renewalAtMs - Math.round(settings.ttlMs * SLOW_AFTER_SHARE) + SLOW_AFTER_RENEWAL_MS;
  return [
    slow(settings, { latencyMs: OVERTAKEN_MS, forMs }),
    {
      id: "reset",
      when: after({ kind: "extend-invoked", worker: "W1" }, RESET_AFTER_MS),
      fault: { kind: "reset-link", workers: ["W1"], nodes: nodeNames(settings.nodeCount) },
    },
  ];
}

function slow(
  { nodeCount, ttlMs }: LabSettings,
  slowness: { readonly latencyMs: number; readonly forMs?: number },
): PlannedFault {
  return {
    id: "slow",
    when: after(granted("W1"), Math.round(ttlMs * SLOW_AFTER_SHARE)),
    fault: {
      kind: "slow-link",
      workers: ["W1"],
      nodes: nodeNames(nodeCount),
      direction: "request",
      ...slowness,
    },
  };
}

export const lateRenewal = defineScenario({
  id: "S33",
  title: "A renewal that is late for the release",
  summary: "W1 releases its lock while a renewal is under way. W2 acquires right after the release.",
  story: (settings) => lateRenewalStory(settings, false),
  variants: [
    { name: "in-order", summary: "The renewal arrives before the delete.", expect: {} },
    {
      name: "overtaken",
      summary: "The renewal is held up on an old connection and arrives when W2 has the lock.",
      story: (settings) => lateRenewalStory(settings, true),
      expect: {},
    },
  ],
});
