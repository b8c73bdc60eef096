/** Which names an event carries: a pattern that asks for another one never matches. */
import type { EventKind } from "../history/event.ts";

export type CarriedName = "worker" | "node" | "fault";

const OF_WORKER: readonly CarriedName[] = ["worker"];
const OF_NODE: readonly CarriedName[] = ["node"];
const OF_FAULT: readonly CarriedName[] = ["fault"];
const OF_NOBODY: readonly CarriedName[] = [];

export const CARRIED_NAMES: Readonly<Record<EventKind, readonly CarriedName[]>> = {
  "worker-started": OF_WORKER,
  "worker-finished": OF_WORKER,
  "acquire-invoked": OF_WORKER,
  "acquire-granted": OF_WORKER,
  "acquire-failed": OF_WORKER,
  "extend-invoked": OF_WORKER,
  "extend-granted": OF_WORKER,
  "extend-failed": OF_WORKER,
  "belief-ended": OF_WORKER,
  "section-entered": OF_WORKER,
  "section-left": OF_WORKER,
  "write-invoked": OF_WORKER,
  "write-returned": OF_WORKER,
  "write-skipped": OF_WORKER,
  "release-invoked": OF_WORKER,
  "release-returned": OF_WORKER,
  "write-judged": OF_WORKER,
  "read-judged": OF_WORKER,
  "worker-suspended": OF_WORKER,
  "deadline-moved": OF_WORKER,
  "key-set": OF_NODE,
  "key-raised": OF_NODE,
  "key-deleted": OF_NODE,
  "node-down": OF_NODE,
  "node-up": OF_NODE,
  "node-stalled": OF_NODE,
  "node-resumed": OF_NODE,
  "clock-jumped": OF_NODE,
  "clock-rate-set": OF_NODE,
  "key-found": OF_NODE,
  "fault-applied": OF_FAULT,
  "fault-healed": OF_FAULT,
  "worker-paused": OF_WORKER,
  "worker-resumed": OF_WORKER,
  "worker-killed": OF_WORKER,
  "story-ended": OF_NOBODY,
  "run-ended": OF_NOBODY,
};
