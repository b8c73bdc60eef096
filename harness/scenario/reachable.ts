/**
 * Which triggers of a story can ever fire. A story whose fault waits for a worker that waits for the fault
 * would hang until its time limit; that is a mistake in the story and is told before anything is started.
 */
import type { EventPattern } from "../faults/event-pattern.ts";
import { type FaultKind, faultDurationMs, faultTargets, type PlannedFault } from "../faults/fault.ts";
import type { Trigger } from "../faults/trigger.ts";
import type { EventKind, WorkerId } from "../history/event.ts";
import { CARRIED_NAMES } from "./event-names.ts";
import type { Story } from "./run-plan.ts";

/** Events of the laboratory and of nodes that only certain faults bring about. */
const CAUSES: Readonly<Partial<Record<EventKind, readonly FaultKind[]>>> = {
  "worker-paused": ["pause-worker"],
  "worker-suspended": ["suspend-worker"],
  "deadline-moved": ["suspend-worker", "skew-worker-clock", "jump-worker-clock"],
  "worker-resumed": ["pause-worker", "suspend-worker"],
  "worker-killed": ["crash-worker"],
  "node-down": ["crash-node", "lose-power", "exchange-node", "fail-over"],
  "node-up": ["crash-node", "lose-power", "exchange-node", "fail-over"],
  "node-stalled": ["stall-node"],
  "node-resumed": ["stall-node"],
  "clock-jumped": ["jump-clock"],
  "clock-rate-set": ["skew-clock"],
};
/** These come only when the fault heals. */
const AFTER_HEALING: readonly EventKind[] = ["fault-healed", "worker-resumed", "node-up", "node-resumed"];
/** Another server is there at once: nothing has to heal before its node is up. */
const REPLACING: readonly FaultKind[] = ["exchange-node", "fail-over"];
/** Nothing starts any more when these come. */
const TOO_LATE: readonly EventKind[] = ["story-ended", "run-ended", "key-found"];

interface Reached {
  readonly workers: ReadonlySet<WorkerId>;
  readonly faults: ReadonlySet<string>;
}

/** Names of the faults and workers that wait for ever, faults first. */
export function unreachableNames(story: Story): readonly string[] {
  let reached: Reached = { workers: new Set(), faults: new Set() };
  // Each pass reaches one more at least, or is the last.
  for (let pass = 0; pass <= story.workers.length + story.faults.length; pass += 1) {
    reached = reachMore(story, reached);
  }
  return [
    ...story.faults.filter(({ id }) => !reached.faults.has(id)).map(({ id }) => `fault ${id}`),
    ...story.workers.filter(({ id }) => !reached.workers.has(id)).map(({ id }) => `worker ${id}`),
  ];
}

function reachMore(story: Story, reached: Reached): Reached {
  const fires = (trigger: Trigger): boolean =>
    trigger.kind === "at" ||
    (trigger.kind === "before-effect"
      ? reached.workers.has(trigger.worker)
      : canHappen(trigger.event, story, reached));
  return {
    workers: new Set(story.workers.filter(({ startWhen }) => fires(startWhen)).map(({ id }) => id)),
    faults: new Set(story.faults.filter(({ when }) => fires(when)).map(({ id }) => id)),
  };
}

function canHappen(pattern: EventPattern, story: Story, reached: Reached): boolean {
  if (TOO_LATE.includes(pattern.kind)) return false;
  const causes = CAUSES[pattern.kind];
  const isOfFaults = causes !== undefined || CARRIED_NAMES[pattern.kind].includes("fault");
  if (isOfFaults) {
    return story.faults.some((planned) => reached.faults.has(planned.id) && brings(planned, pattern, causes));
  }
  if (pattern.worker !== undefined) return reached.workers.has(pattern.worker);
  return reached.workers.size > 0;
}

function brings(
  planned: PlannedFault,
  pattern: EventPattern,
  causes: readonly FaultKind[] | undefined,
): boolean {
  const { id, fault } = planned;
  if (causes !== undefined && !causes.includes(fault.kind)) return false;
  if (pattern.fault !== undefined && pattern.fault !== id) return false;
  const isAtOnce = pattern.kind === "node-up" && REPLACING.includes(fault.kind);
  if (!isAtOnce && AFTER_HEALING.includes(pattern.kind) && faultDurationMs(fault) === undefined) return false;

  const targets = faultTargets(fault);
  if (pattern.worker !== undefined && !targets.workers.includes(pattern.worker)) return false;
  return pattern.node === undefined || targets.nodes.includes(pattern.node);
}
