/**
 * The events of a run. Every backend writes these and nothing else; checkers and reports read them.
 * `atMs` is milliseconds since the start of the run on the host's CLOCK_MONOTONIC (real backends) or true
 * time (simulated). Deadlines are on the same axis. Events are ordered by `seq`.
 */
import type { RedlockErrorCode } from "../../src/errors.ts";
import type { ReleaseKind } from "../../src/lock.ts";
import type { Vote } from "../../src/ports/vote.ts";

export type WorkerId = string;
export type NodeName = string;
/** One span of belief: the worker and a counter, `W1/1`. Values and tokens never serve as identity. */
export type HoldId = string;
/** One call of a worker into the coordinator: the worker and a counter, `W1#3`. */
export type CallId = string;

/** What a worker writes down itself, stamped in its own process. */
export type WorkerEvent =
  | { readonly kind: "worker-started"; readonly worker: WorkerId }
  | { readonly kind: "worker-finished"; readonly worker: WorkerId }
  | {
      readonly kind: "acquire-invoked";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly resource: string;
      readonly ttlMs: number;
      readonly waitMs: number;
    }
  | {
      readonly kind: "acquire-granted";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly hold: HoldId;
      readonly resource: string;
      readonly value: string;
      readonly deadlineMs: number;
      /** `remainingMs()` as the worker read it right after the return. */
      readonly remainingMs: number;
      /** Decimal digits: JSON has no big integers. */
      readonly fencingToken?: string;
      readonly votes: readonly Vote[];
    }
  | {
      readonly kind: "acquire-failed";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly resource: string;
      readonly code: RedlockErrorCode;
      readonly votes: readonly Vote[];
    }
  | {
      readonly kind: "extend-invoked";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly hold: HoldId;
      readonly ttlMs: number;
    }
  | {
      readonly kind: "extend-granted";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly hold: HoldId;
      readonly deadlineMs: number;
      readonly votes: readonly Vote[];
    }
  | {
      readonly kind: "extend-failed";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly hold: HoldId;
      readonly code: RedlockErrorCode;
      readonly votes: readonly Vote[];
    }
  /** The coordinator's own announcement (`lock.signal`) that the belief is over. */
  | {
      readonly kind: "belief-ended";
      readonly worker: WorkerId;
      readonly hold: HoldId;
      readonly reason: "expired" | "lost" | "released";
    }
  | { readonly kind: "section-entered"; readonly worker: WorkerId; readonly hold: HoldId }
  | { readonly kind: "section-left"; readonly worker: WorkerId; readonly hold: HoldId }
  | {
      readonly kind: "write-invoked";
      readonly worker: WorkerId;
      readonly hold: HoldId;
      readonly write: string;
    }
  | {
      readonly kind: "write-returned";
      readonly worker: WorkerId;
      readonly hold: HoldId;
      readonly write: string;
      readonly accepted: boolean;
    }
  /** The worker looked at its deadline first and did not write. */
  | { readonly kind: "write-skipped"; readonly worker: WorkerId; readonly hold: HoldId }
  | {
      readonly kind: "release-invoked";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly hold: HoldId;
    }
  | {
      readonly kind: "release-returned";
      readonly worker: WorkerId;
      readonly call: CallId;
      readonly hold: HoldId;
      readonly outcome: ReleaseKind;
      readonly votes: readonly Vote[];
    };

/** What the protected resource did with a write. */
export interface WriteJudged {
  readonly kind: "write-judged";
  readonly resource: string;
  readonly worker: WorkerId;
  readonly hold: HoldId;
  readonly write: string;
  readonly fencingToken?: string;
  readonly accepted: boolean;
  /** What a resource that checks fencing tokens would have said; equal to `accepted` where this one does. */
  readonly acceptedIfFenced: boolean;
  /** The write that the writer had read last; `null`: it read that there was none. Absent where it read nothing. */
  readonly basedOn?: string | null;
}

/** What the protected resource let somebody read. */
export interface ReadJudged {
  readonly kind: "read-judged";
  readonly resource: string;
  readonly worker: WorkerId;
  readonly hold: HoldId;
  readonly fencingToken?: string;
  readonly accepted: boolean;
  /** The newest accepted write; `null`: there is none. */
  readonly saw: string | null;
}

/** What happened on a node. `expiresInMs` counts on the node's own wall clock from the event on. */
export type NodeEvent =
  | {
      readonly kind: "key-set";
      readonly node: NodeName;
      readonly resource: string;
      readonly value: string;
      /** `null`: no expiry. */
      readonly expiresInMs: number | null;
      /** `recovered`: found after a restart. */
      readonly cause: "command" | "recovered";
    }
  | {
      readonly kind: "key-raised";
      readonly node: NodeName;
      readonly resource: string;
      /** The value whose key got the new expiry. */
      readonly value: string;
      /** The value that the command named; absent when it compared nothing. */
      readonly claimedValue?: string;
      readonly expiresInMs: number;
    }
  | {
      readonly kind: "key-deleted";
      readonly node: NodeName;
      readonly resource: string;
      /** The value that was deleted. */
      readonly value: string;
      /** The value that the command named; absent when it compared nothing. */
      readonly claimedValue?: string;
      readonly cause: "command" | "flushed" | "evicted";
    }
  /** From here on the node answers nobody; keys that are not announced again after `node-up` are forgotten. */
  | { readonly kind: "node-down"; readonly node: NodeName; readonly cause: "killed" | "power-loss" }
  | { readonly kind: "node-up"; readonly node: NodeName }
  | { readonly kind: "node-stalled"; readonly node: NodeName }
  | { readonly kind: "node-resumed"; readonly node: NodeName }
  | { readonly kind: "clock-jumped"; readonly node: NodeName; readonly byMs: number }
  /** Wall-clock milliseconds of the node that pass in one true millisecond; 1 is exact. */
  | { readonly kind: "clock-rate-set"; readonly node: NodeName; readonly rate: number }
  /** A key that is still there when the run has settled. */
  | {
      readonly kind: "key-found";
      readonly node: NodeName;
      readonly resource: string;
      readonly value: string;
      /** Remaining lifetime; `null`: no expiry. */
      readonly expiresInMs: number | null;
    };

/** What the laboratory did. */
export type LabEvent =
  | {
      readonly kind: "fault-applied";
      readonly fault: string;
      readonly nodes: readonly NodeName[];
      readonly workers: readonly WorkerId[];
    }
  | {
      readonly kind: "fault-healed";
      readonly fault: string;
      readonly nodes: readonly NodeName[];
      readonly workers: readonly WorkerId[];
    }
  | { readonly kind: "worker-paused"; readonly worker: WorkerId }
  | { readonly kind: "worker-resumed"; readonly worker: WorkerId }
  /** The machine of the worker stands still, its monotonic clock included; `worker-resumed` ends it. */
  | { readonly kind: "worker-suspended"; readonly worker: WorkerId }
  /**
   * The clocks that the holder reads have been disturbed (its machine stood still, a rate changed, a step): its
   * deadline is now this on the axis of the run.
   */
  | {
      readonly kind: "deadline-moved";
      readonly worker: WorkerId;
      readonly hold: HoldId;
      readonly deadlineMs: number;
    }
  /** Stamped when the kill is sent. */
  | { readonly kind: "worker-killed"; readonly worker: WorkerId }
  /** All workers are done, or the time limit of the run has come; what follows is settling and the last look. */
  | { readonly kind: "story-ended"; readonly cause: "done" | "limit" }
  | { readonly kind: "run-ended" };

export type EventBody = WorkerEvent | WriteJudged | ReadJudged | NodeEvent | LabEvent;
export type EventKind = EventBody["kind"];

export type HistoryEvent = EventBody & {
  /** Order of the run: counts from 0 without gaps. */
  readonly seq: number;
  readonly atMs: number;
};

/** The events of some kinds: `EventOf<"acquire-granted">`. */
export type EventOf<Kind extends EventKind> = Extract<HistoryEvent, { readonly kind: Kind }>;
