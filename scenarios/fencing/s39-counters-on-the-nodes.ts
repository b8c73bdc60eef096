/**
 * S39. Fencing tokens from counters on the nodes: each holder raises those of its quorum by one and takes the highest.
 *
 * A node that forgets hands numbers out again (`forgetful`). But nobody needs to forget (`uneven`): two draws that
 * reached A alone put A ahead of the others; a holder on A, B, C then gets 3, and the next one, on C, D, E, only 2.
 * The old holder's late write shows the higher token.
 *
 * Writing the highest number back to a quorum before it is used makes tokens grow (`uneven-raised`), for as long as
 * no node forgets (`forgetful-raised`). A counter outside keeps them apart in either case.
 */
import type { PlannedFault } from "../../harness/faults/fault.ts";
import type { Trigger } from "../../harness/faults/trigger.ts";
import type { WorkerPlan } from "../../harness/workload/worker-plan.ts";
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import type { LabSettings } from "../../harness/scenario/lab-settings.ts";
import { requireTtl } from "../../harness/scenario/require-ttl.ts";
import type { Story } from "../../harness/scenario/run-plan.ts";
import { splitQuorums } from "../../harness/scenario/split-quorums.ts";
import {
  after,
  applied,
  appliedEvents,
  granted,
  inOrder,
  planInTurn,
  planWorker,
  whenAllHold,
} from "../../harness/scenario/story-parts.ts";
import { nodeNames } from "../../harness/scenario/node-names.ts";
import { forgetfulNodeStory } from "../restarts/forgetful-node-story.ts";

/** Draws that reach A alone. */
const LOST_DRAWS = 2;
/** A draw that is lost holds its acquire up until the lock would be over: a short one. */
const LOST_DRAW_TTL_MS = 100;
const CUT_FOR_MS = 10;
const RIVAL_AFTER_MS = 100;
const RIVAL_TIME_MS = 400;
const HOLDER_WORK_MS = 150;

const TTL_MIN_MS = 300;

const forgetfulStory = (settings: LabSettings): Story =>
  forgetfulNodeStory(settings, { scenario: "S39", how: "killed" });

function unevenStory(settings: LabSettings): Story {
  requireTtl(settings, "S39", TTL_MIN_MS);
  const { ttlMs } = settings;
  const { first, cuts } = splitQuorums(settings);
  const prepared = planInTurn(cuts);
  const losses = lostDraws(settings);
  const pauseMs = ttlMs + RIVAL_AFTER_MS + RIVAL_TIME_MS;

  return {
    workers: unevenCast(settings, whenAllHold(prepared)),
    faults: [
      ...prepared,
      ...losses,
      {
        id: "pause-w1",
        when: after(granted("W1")),
        fault: { kind: "pause-worker", worker: "W1", forMs: pauseMs },
      },
    ],
    staging: [
      { kind: "granted-by", worker: "W1", nodes: first },
      inOrder({ kind: "write-judged", worker: "W2" }, { kind: "worker-resumed", worker: "W1" }),
    ],
    demands: {
      contention: true,
      events: [
        ...appliedEvents([...prepared, ...losses]),
        applied("pause-w1"),
        { kind: "acquire-failed", worker: "W3" },
        { kind: "write-judged", worker: "W1" },
        { kind: "write-judged", worker: "W2" },
      ],
    },
    limitMs: 4 * ttlMs + 3000,
  };
}

function unevenCast(settings: LabSettings, firstStart: Trigger): readonly WorkerPlan[] {
  const { ttlMs } = settings;
  return [
    planWorker("W3", settings, {
      startWhen: firstStart,
      ttlMs: LOST_DRAW_TTL_MS,
      acquireCount: LOST_DRAWS,
      grantsMax: 0,
    }),
    planWorker("W1", settings, {
      startWhen: after({ kind: "worker-finished", worker: "W3" }, LOST_DRAW_TTL_MS),
      workMs: HOLDER_WORK_MS,
    }),
    planWorker("W2", settings, {
      startWhen: after({ kind: "worker-paused", worker: "W1" }, ttlMs + RIVAL_AFTER_MS),
      waitMs: RIVAL_TIME_MS / 2,
      lingerMs: ttlMs / 2,
    }),
  ];
}

/** Whenever W3 draws a token, all nodes but A are out of its reach for a moment. */
function lostDraws({ nodeCount }: LabSettings): readonly PlannedFault[] {
  return Array.from({ length: LOST_DRAWS }, (_, index) => ({
    id: `lost-draw-${index + 1}`,
    when: { kind: "before-effect", worker: "W3", effect: "draw-token", nth: index + 1 },
    fault: {
      kind: "cut-link",
      workers: ["W3"],
      nodes: nodeNames(nodeCount).slice(1),
      how: "lose",
      forMs: CUT_FOR_MS,
    },
  }));
}

const LOCK_FORGOTTEN = { declared: "invalid", actual: "invalid", danger: "invalid" } as const;

export const countersOnTheNodes = defineScenario({
  id: "S39",
  title: "Fencing tokens from counters on the nodes",
  summary:
    "Tokens are the highest of the nodes' own counters. Two holds get one token, or the later one gets the lower, and a late write is accepted.",
  settings: { fencing: true, tokenSource: "node-counters" },
  story: forgetfulStory,
  variants: [
    {
      name: "forgetful",
      summary: "C is killed, comes back empty and counts from nothing: two holds have one token.",
      expect: { ...LOCK_FORGOTTEN, stale: "invalid", tokens: "invalid" },
    },
    {
      name: "forgetful-raised",
      summary: "Writing the highest number back does not help where a node forgets it.",
      settings: { tokenSource: "raised-counters" },
      expect: { ...LOCK_FORGOTTEN, stale: "invalid", tokens: "invalid" },
    },
    {
      name: "forgetful-outside",
      summary: "One counter outside the nodes: the older token is refused.",
      settings: { tokenSource: "counter" },
      expect: LOCK_FORGOTTEN,
    },
    {
      name: "uneven",
      summary: "Nobody forgets, but A is ahead: the paused holder has the higher token.",
      story: unevenStory,
      expect: { actual: "invalid", stale: "invalid", tokens: "invalid" },
    },
    {
      name: "uneven-raised",
      summary: "The highest number is written back to a quorum: the late write is refused.",
      settings: { tokenSource: "raised-counters" },
      story: unevenStory,
      expect: { actual: "invalid" },
    },
  ],
});
