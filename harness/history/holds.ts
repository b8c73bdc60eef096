/**
 * Holds: the spans in which workers believed, read from a history. *Declared* is what the library vouches
 * for, *actual* is what the application did. Both are spans of run time; see docs/checkers.md.
 */
import type { Vote } from "../../src/ports/vote.ts";
import type { EventOf, HistoryEvent, HoldId, WorkerId } from "./event.ts";
import type { History } from "./history.ts";
import {
  earlierOf,
  endOfRun,
  isBefore,
  laterOf,
  type Moment,
  momentAt,
  momentOf,
  type Span,
} from "./moment.ts";
import { oncePerHistory } from "./once-per-history.ts";

/** `open`: the run was over before the belief was. */
export type HoldEnding = "released" | "expired" | "lost" | "killed" | "open";

export interface Hold {
  readonly id: HoldId;
  readonly worker: WorkerId;
  readonly resource: string;
  readonly value: string;
  readonly fencingToken: string | undefined;
  readonly votes: readonly Vote[];
  readonly granted: Moment;
  /** The deadline that was known when the acquire returned. */
  readonly firstDeadlineMs: number;
  /** Its deadline as extensions raised it, and where disturbed clocks moved it. */
  readonly lastDeadlineMs: number;
  /** From each return of a grant to its deadline, cut where the belief was over; disjoint, none is empty. */
  readonly declared: readonly Span[];
  /** When the value was ended for good. */
  readonly believedUntil: Moment;
  readonly ending: HoldEnding;
  /** From entering the critical section to leaving it. */
  readonly actual: readonly Span[];
}

interface Draft {
  readonly granted: EventOf<"acquire-granted">;
  readonly beliefs: Span[];
  readonly sections: Span[];
  sectionEntered: Moment | undefined;
  lastDeadlineMs: number;
  believedUntil: Moment;
  ending: HoldEnding;
  /** After a release, a loss or a kill nothing counts any more; after a deadline a revival does. */
  isFinal: boolean;
}

/** All holds, in the order of their grants. Events of unknown holds are passed over. */
export const holdsOf = oncePerHistory(readHolds);

function readHolds({ events }: History): readonly Hold[] {
  const drafts = new Map<HoldId, Draft>();
  const dead = new Set<WorkerId>();
  for (const event of events) {
    // What is stamped after the kill was sent was done in the instant before it hit: nothing was believed by it.
    const isOfTheDead = "hold" in event && dead.has(event.worker);
    if (isOfTheDead && event.kind !== "acquire-granted") continue;
    if (event.kind === "acquire-granted") {
      const draft = draftOf(event);
      if (isOfTheDead) kill(draft, momentOf(event));
      drafts.set(event.hold, draft);
    } else if (event.kind === "worker-killed") {
      dead.add(event.worker);
      const own = [...drafts.values()].filter(({ granted }) => granted.worker === event.worker);
      for (const draft of own) kill(draft, momentOf(event));
    } else if ("hold" in event) {
      const draft = drafts.get(event.hold);
      if (draft !== undefined) apply(draft, event);
    }
  }
  const end = endOfRun(events);
  return [...drafts.values()].map((draft) => holdFrom(draft, end));
}

function draftOf(event: EventOf<"acquire-granted">): Draft {
  const deadline = momentAt(event.deadlineMs);
  return {
    granted: event,
    beliefs: [{ from: momentOf(event), to: deadline }],
    sections: [],
    sectionEntered: undefined,
    lastDeadlineMs: event.deadlineMs,
    believedUntil: deadline,
    ending: "expired",
    isFinal: false,
  };
}

function apply(draft: Draft, event: HistoryEvent): void {
  const at = momentOf(event);
  switch (event.kind) {
    case "extend-granted":
      raise(draft, { from: at, to: momentAt(event.deadlineMs) });
      break;
    case "deadline-moved":
      moveDeadline(draft, momentAt(event.deadlineMs));
      break;
    case "release-invoked":
      endBelief(draft, at, "released");
      break;
    case "belief-ended":
      endBelief(draft, at, event.reason);
      break;
    case "section-entered":
      draft.sectionEntered = at;
      break;
    case "section-left":
      leaveSection(draft, at);
      break;
    default:
      break;
  }
}

/** An extension that returns after the old deadline counts from its return: a dead lock revived has to show. */
function raise(draft: Draft, belief: Span): void {
  if (draft.isFinal) return;
  draft.beliefs.push(belief);
  draft.lastDeadlineMs = Math.max(draft.lastDeadlineMs, belief.to.atMs);
  draft.believedUntil = laterOf(draft.believedUntil, belief.to);
  draft.ending = "expired";
}

/** The clocks that the holder reads have been disturbed: what it believed lasts to where its deadline is now. */
function moveDeadline(draft: Draft, deadline: Moment): void {
  if (draft.isFinal) return;
  const last = draft.beliefs.length - 1;
  for (const [index, { from, to }] of draft.beliefs.entries()) {
    draft.beliefs[index] = { from, to: index === last ? deadline : earlierOf(to, deadline) };
  }
  draft.lastDeadlineMs = deadline.atMs;
  draft.believedUntil = deadline;
  draft.ending = "expired";
}

function endBelief(draft: Draft, at: Moment, ending: Exclude<HoldEnding, "open">): void {
  if (draft.isFinal) return;
  draft.isFinal = ending !== "expired";
  if (!isBefore(at, draft.believedUntil)) return;
  draft.believedUntil = at;
  draft.ending = ending;
  for (const [index, belief] of draft.beliefs.entries()) {
    draft.beliefs[index] = { from: belief.from, to: earlierOf(belief.to, at) };
  }
}

function kill(draft: Draft, at: Moment): void {
  endBelief(draft, at, "killed");
  leaveSection(draft, at);
}

function leaveSection(draft: Draft, at: Moment): void {
  if (draft.sectionEntered === undefined) return;
  draft.sections.push({ from: draft.sectionEntered, to: at });
  draft.sectionEntered = undefined;
}

function holdFrom(draft: Draft, end: Moment): Hold {
  leaveSection(draft, end);
  const { granted, believedUntil } = draft;
  return {
    id: granted.hold,
    worker: granted.worker,
    resource: granted.resource,
    value: granted.value,
    fencingToken: granted.fencingToken,
    votes: granted.votes,
    granted: momentOf(granted),
    firstDeadlineMs: granted.deadlineMs,
    lastDeadlineMs: draft.lastDeadlineMs,
    declared: unionOf(draft.beliefs),
    believedUntil,
    ending: isBefore(end, believedUntil) ? "open" : draft.ending,
    actual: unionOf(draft.sections),
  };
}

/** Expects spans in the order of their starts. */
function unionOf(spans: readonly Span[]): readonly Span[] {
  const union: Span[] = [];
  for (const span of spans) {
    if (!isBefore(span.from, span.to)) continue;
    const last = union.at(-1);
    if (last === undefined || isBefore(last.to, span.from)) union.push(span);
    else union[union.length - 1] = { from: last.from, to: laterOf(last.to, span.to) };
  }
  return union;
}
