/** Whether a run was staged as its story tells it. Pure. */
import { type EventPattern, matchesPattern } from "../faults/event-pattern.ts";
import type { HistoryEvent, NodeName } from "../history/event.ts";
import type { StagingCondition } from "../scenario/run-plan.ts";

/** The conditions that did not come about, one sentence each, in their order. */
export function unmetConditions(
  events: readonly HistoryEvent[],
  conditions: readonly StagingCondition[],
): readonly string[] {
  return conditions.flatMap((condition) => unmet(events, condition) ?? []);
}

function unmet(events: readonly HistoryEvent[], condition: StagingCondition): string | undefined {
  switch (condition.kind) {
    case "granted-by":
      return notGrantedBy(events, condition.worker, condition.nodes);
    case "order":
      return notInOrder(events, condition.earlier, condition.later);
  }
}

function notGrantedBy(
  events: readonly HistoryEvent[],
  worker: string,
  nodes: readonly NodeName[],
): string | undefined {
  const grant = events.find((event) => event.kind === "acquire-granted" && event.worker === worker);
  const wanted = nodes.join(", ");
  if (grant?.kind !== "acquire-granted") {
    return `${worker} was to be granted by ${wanted}, but was granted nothing.`;
  }
  const granted = grant.votes.filter(({ kind }) => kind === "granted").map(({ node }) => node);
  const isExact = granted.length === nodes.length && nodes.every((node) => granted.includes(node));
  if (isExact) return undefined;
  return `${worker} was to be granted by ${wanted}, but was granted by ${granted.toSorted().join(", ") || "nobody"}.`;
}

function notInOrder(
  events: readonly HistoryEvent[],
  earlier: EventPattern,
  later: EventPattern,
): string | undefined {
  const first = events.find((event) => matchesPattern(event, earlier));
  const second = events.find((event) => matchesPattern(event, later));
  const wanted = `${describe(earlier)} was to come before ${describe(later)}`;
  if (second === undefined) return `${wanted}, but the latter never came.`;
  if (first === undefined) return `${wanted}, but never came.`;
  return first.seq < second.seq ? undefined : `${wanted}, but came after it.`;
}

function describe({ kind, worker, node, fault }: EventPattern): string {
  return [kind, worker, node, fault].filter((word) => word !== undefined).join(" ");
}
