/** Did the run show what it was made for? One that did not is inconclusive, and no violation. */
import type { Vote } from "../../src/ports/vote.ts";
import { type EventPattern, matchesPattern } from "../faults/event-pattern.ts";
import type { HistoryEvent } from "../history/event.ts";
import type { History } from "../history/history.ts";
import type { VacuityDemand } from "../scenario/run-plan.ts";
import { unknown, VALID, type Verdict } from "./verdict.ts";
import { listOf } from "./wording.ts";

export function checkVacuity({ events }: History, demands: VacuityDemand): Verdict {
  const missing = demands.events
    .filter((pattern) => !events.some((event) => matchesPattern(event, pattern)))
    .map(describePattern);
  if (demands.contention && !hasContention(events)) missing.push("two workers in contention");
  return missing.length === 0 ? VALID : unknown(`the run never showed ${listOf(missing)}`);
}

function describePattern({ kind, worker, node, fault }: EventPattern): string {
  return [kind, ...[worker, node, fault].filter((name) => name !== undefined)].join(" ");
}

/** Somebody met a resource that was taken, or two workers held one in turn. */
function hasContention(events: readonly HistoryEvent[]): boolean {
  const holders = new Map<string, string>();
  for (const event of events) {
    if (event.kind === "acquire-failed" && event.code === "contended") return true;
    if ("votes" in event && event.votes.some(isHeld)) return true;
    if (event.kind !== "acquire-granted") continue;
    if ((holders.get(event.resource) ?? event.worker) !== event.worker) return true;
    holders.set(event.resource, event.worker);
  }
  return false;
}

function isHeld(vote: Vote): boolean {
  return vote.kind === "refused" && vote.reason === "held";
}
