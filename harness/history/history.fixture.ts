/** Short ways to write histories down in tests. */
import type { Vote } from "../../src/ports/vote.ts";
import type { EventBody, EventOf, HistoryEvent, NodeName } from "./event.ts";
import type { History, HistoryHeader } from "./history.ts";

/** An event at a time of the run. */
export type At = readonly [atMs: number, body: EventBody];

export const HEADER: HistoryHeader = {
  version: 1,
  scenario: "S00",
  variant: "plain",
  backend: "fixture",
  seed: "1",
  startedAt: "2026-01-01T00:00:00.000Z",
  nodes: ["A", "B", "C", "D", "E"],
  workers: ["W1", "W2", "W3"],
  quorum: 3,
  ttlMs: 1000,
  nodeTimeoutMs: 50,
  driftFactor: 0.01,
  retryCapMs: 100,
  fencing: false,
  nodeStampUncertaintyMs: 0,
  schedulingGraceMs: 0,
};

/** Sorts by time, keeps the order of equal times, and numbers. */
export function historyOf(events: readonly At[], header: Partial<HistoryHeader> = {}): History {
  const sorted = events.toSorted(([left], [right]) => left - right);
  return {
    header: { ...HEADER, ...header },
    events: sorted.map(([atMs, body], seq): HistoryEvent => ({ ...body, seq, atMs })),
  };
}

export interface HoldStory {
  /** When the acquire returned; it was invoked 5 ms earlier. */
  readonly at: number;
  /** Default: 983 ms after the return. */
  readonly deadline?: number;
  /** The nodes that granted, as letters; default `ABC`. Their keys are set 2 ms before the return. */
  readonly nodes?: string;
  readonly ttlMs?: number;
  readonly resource?: string;
  readonly fencingToken?: string;
  /** When the release was invoked; it returns 4 ms later, and the keys are deleted 2 ms later. */
  readonly release?: number;
}

/** A hold from acquire to release, `hold("W1/1", { at: 5, release: 100 })`; its value is `v-W1/1`. */
export function hold(id: string, story: HoldStory): readonly At[] {
  const { at, deadline = at + 983, nodes = "ABC", ttlMs = 1000, resource = "orders", release } = story;
  const worker = workerOf(id);
  const call = `${id}#acquire`;
  const value = `v-${id}`;
  const events: At[] = [
    [at - 5, { kind: "acquire-invoked", worker, call, resource, ttlMs, waitMs: 0 }],
    ...[...nodes].map((node) => keySet(at - 2, node, id, { ttlMs, resource })),
    [
      at,
      {
        kind: "acquire-granted",
        worker,
        call,
        hold: id,
        resource,
        value,
        deadlineMs: deadline,
        remainingMs: Math.max(0, deadline - at),
        votes: votesOf(nodes),
        ...(story.fencingToken === undefined ? {} : { fencingToken: story.fencingToken }),
      },
    ],
  ];
  if (release === undefined) return events;
  return [
    ...events,
    ...released(id, release),
    ...[...nodes].map((node) => keyDeleted(release + 2, node, id, { resource })),
  ];
}

export function workerOf(holdId: string): string {
  return holdId.split("/")[0] ?? holdId;
}

/** Granted by the nodes in capitals, refused as held by those in small letters. */
export function votesOf(nodes: string): readonly Vote[] {
  return [...nodes].map((letter) => {
    const node = letter.toUpperCase();
    return letter === node
      ? { node, kind: "granted", roundTripMs: 4 }
      : { node, kind: "refused", reason: "held", roundTripMs: 4 };
  });
}

export function keySet(
  atMs: number,
  node: NodeName,
  holdId: string,
  options: {
    readonly ttlMs?: number | null;
    readonly resource?: string;
    readonly cause?: EventOf<"key-set">["cause"];
  } = {},
): At {
  const { ttlMs = 1000, resource = "orders", cause = "command" } = options;
  return [atMs, { kind: "key-set", node, resource, value: `v-${holdId}`, expiresInMs: ttlMs, cause }];
}

export function keyDeleted(
  atMs: number,
  node: NodeName,
  holdId: string,
  /** `claim`: the hold whose value the command named, `null` for none; default: the key's own. */
  options: { readonly claim?: string | null; readonly resource?: string } = {},
): At {
  const { claim = holdId, resource = "orders" } = options;
  const claimed = claim === null ? {} : { claimedValue: `v-${claim}` };
  return [atMs, { kind: "key-deleted", node, resource, value: `v-${holdId}`, ...claimed, cause: "command" }];
}

export function keyFound(atMs: number, node: NodeName, holdId: string, expiresInMs: number | null): At {
  return [atMs, { kind: "key-found", node, resource: "orders", value: `v-${holdId}`, expiresInMs }];
}

export function released(id: string, atMs: number): readonly At[] {
  const same = { worker: workerOf(id), call: `${id}#release`, hold: id };
  return [
    [atMs, { kind: "release-invoked", ...same }],
    [atMs + 4, { kind: "release-returned", ...same, outcome: "released", votes: [] }],
  ];
}

/** An extension that was invoked and granted; `nth` tells several of one hold apart. */
export function extended(
  id: string,
  times: { readonly at: number; readonly granted: number; readonly deadline: number; readonly nth?: number },
): readonly At[] {
  const same = { worker: workerOf(id), call: `${id}#extend${times.nth ?? 1}`, hold: id };
  return [
    [times.at, { kind: "extend-invoked", ...same, ttlMs: 1000 }],
    [times.granted, { kind: "extend-granted", ...same, deadlineMs: times.deadline, votes: votesOf("ABC") }],
  ];
}

/** An acquire that failed; `returned: null` for one that is still open. */
export function failedAcquire(
  call: string,
  times: {
    readonly at: number;
    readonly returned: number | null;
    readonly waitMs?: number;
    readonly code?: EventOf<"acquire-failed">["code"];
    readonly votes?: string;
    readonly resource?: string;
  },
): readonly At[] {
  const { at, returned, waitMs = 0, code = "contended", votes = "", resource = "orders" } = times;
  const same = { worker: call.split("#")[0] ?? call, call, resource };
  const invoked: At = [at, { kind: "acquire-invoked", ...same, ttlMs: 1000, waitMs }];
  if (returned === null) return [invoked];
  return [invoked, [returned, { kind: "acquire-failed", ...same, code, votes: votesOf(votes) }]];
}

/** In the critical section from one time to the other; `null`: never left. */
export function section(id: string, from: number, to: number | null): readonly At[] {
  const same = { worker: workerOf(id), hold: id };
  const entered: At = [from, { kind: "section-entered", ...same }];
  return to === null ? [entered] : [entered, [to, { kind: "section-left", ...same }]];
}

/** The protected resource's judgement of a write. */
export function judged(
  atMs: number,
  holdId: string,
  judgement: { readonly accepted?: boolean; readonly fencingToken?: string; readonly resource?: string } = {},
): At {
  const { accepted = true, resource = "orders", fencingToken } = judgement;
  const token = fencingToken === undefined ? {} : { fencingToken };
  return [
    atMs,
    {
      kind: "write-judged",
      resource,
      worker: workerOf(holdId),
      hold: holdId,
      write: `${holdId}.${atMs}`,
      ...token,
      accepted,
      acceptedIfFenced: accepted,
    },
  ];
}

export function applied(atMs: number, fault: string, nodes = "", workers: readonly string[] = []): At {
  return [atMs, { kind: "fault-applied", fault, nodes: [...nodes], workers }];
}

export function healed(atMs: number, fault: string): At {
  return [atMs, { kind: "fault-healed", fault, nodes: [], workers: [] }];
}

export function down(atMs: number, node: NodeName, cause: "killed" | "power-loss" = "killed"): At {
  return [atMs, { kind: "node-down", node, cause }];
}

export function up(atMs: number, node: NodeName): At {
  return [atMs, { kind: "node-up", node }];
}

/** The story is over and the run has settled. */
export function settled(atMs: number, cause: "done" | "limit" = "done"): readonly At[] {
  return [
    [atMs, { kind: "story-ended", cause }],
    [atMs + 200, { kind: "run-ended" }],
  ];
}
