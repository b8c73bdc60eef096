/**
 * What a worker's procedure asks of its driver, and what it is resumed with. A driver keeps one lock at a time;
 * the procedure never sees it, so that one workload runs on the real coordinator and on a simulated one.
 */
import type { RedlockErrorCode } from "../../src/errors.ts";
import type { ReleaseKind } from "../../src/lock.ts";
import type { Vote } from "../../src/ports/vote.ts";
import type { HoldId, WorkerEvent } from "../history/event.ts";

export type WorkerEffect =
  /** Write the event down with the present time. Resumed with `done`, at once. */
  | { readonly kind: "note"; readonly event: WorkerEvent }
  /** Resumed with `done` when the time is over. */
  | { readonly kind: "sleep"; readonly forMs: number }
  /** Resumed with `granted` or `failed`. */
  | {
      readonly kind: "acquire";
      readonly resource: string;
      readonly ttlMs: number;
      readonly waitMs: number;
      /** Draw a fencing token. */
      readonly fencing: boolean;
      /** The hold that a grant begins; the driver notes `belief-ended` with it. */
      readonly hold: HoldId;
      /** Wait in line behind the lock that is held, and release that. */
      readonly isHandOver: boolean;
    }
  /** Extend the lock. Resumed with `extended` or `failed`. */
  | { readonly kind: "extend"; readonly ttlMs: number }
  /** Read the lock's `remainingMs()`. Resumed with `remaining`. */
  | { readonly kind: "remaining" }
  /** Read the protected resource. Resumed with `was-read`. */
  | {
      readonly kind: "read";
      readonly resource: string;
      readonly hold: HoldId;
      readonly fencingToken?: string;
    }
  /** Stamp the protected resource with the hold. Resumed with `done`. */
  | { readonly kind: "stamp"; readonly resource: string; readonly hold: HoldId }
  /** Ask a replica of the first node whether the lock's key is still there. Resumed with `replica-answered`. */
  | { readonly kind: "ask-replica" }
  /** Write to the protected resource. Resumed with `written`. */
  | {
      readonly kind: "write";
      readonly resource: string;
      readonly hold: HoldId;
      readonly write: string;
      readonly fencingToken?: string;
      /** What was read before. */
      readonly basedOn?: string | null;
      /** Only where the hold's stamp is still on the resource. */
      readonly ifStamped?: boolean;
    }
  /** Keep extending the lock beside what follows, until it is released, lost or over. Resumed with `done`, at once. */
  | {
      readonly kind: "renew";
      readonly ttlMs: number;
      readonly maxHoldMs: number | undefined;
      readonly hold: HoldId;
    }
  /** Release the lock and forget it. Resumed with `released`. */
  | { readonly kind: "release" };

export type WorkerResumption =
  | { readonly kind: "done" }
  | {
      readonly kind: "granted";
      readonly value: string;
      readonly deadlineMs: number;
      /** `remainingMs()` as read right after the return. */
      readonly remainingMs: number;
      /** Decimal digits. */
      readonly fencingToken?: string;
      readonly votes: readonly Vote[];
    }
  | { readonly kind: "failed"; readonly code: RedlockErrorCode; readonly votes: readonly Vote[] }
  | { readonly kind: "extended"; readonly deadlineMs: number; readonly votes: readonly Vote[] }
  | { readonly kind: "remaining"; readonly remainingMs: number }
  | { readonly kind: "was-read"; readonly accepted: boolean; readonly saw: string | null }
  | { readonly kind: "replica-answered"; readonly isHeld: boolean }
  | { readonly kind: "written"; readonly accepted: boolean }
  | { readonly kind: "released"; readonly outcome: ReleaseKind; readonly votes: readonly Vote[] };

export type WorkerProcedure<Result = void> = Generator<WorkerEffect, Result, WorkerResumption>;

type EffectOf<Kind extends WorkerEffect["kind"]> = Extract<WorkerEffect, { readonly kind: Kind }>;
type ResumptionOf<Kind extends WorkerResumption["kind"]> = Extract<WorkerResumption, { readonly kind: Kind }>;

/** Notes an event, stamped by the driver. */
export function* note(event: WorkerEvent): WorkerProcedure {
  yield { kind: "note", event };
}

/** Sleeps; no time at all is no effect. */
export function* sleep(forMs: number): WorkerProcedure {
  if (forMs > 0) yield { kind: "sleep", forMs };
}

export function* acquire(
  request: Omit<EffectOf<"acquire">, "kind">,
): WorkerProcedure<ResumptionOf<"granted"> | ResumptionOf<"failed">> {
  const answer = yield { kind: "acquire", ...request };
  if (answer.kind === "granted" || answer.kind === "failed") return answer;
  throw wrongAnswer("acquire", answer);
}

export function* extend(ttlMs: number): WorkerProcedure<ResumptionOf<"extended"> | ResumptionOf<"failed">> {
  const answer = yield { kind: "extend", ttlMs };
  if (answer.kind === "extended" || answer.kind === "failed") return answer;
  throw wrongAnswer("extend", answer);
}

export function* remainingMs(): WorkerProcedure<number> {
  const answer = yield { kind: "remaining" };
  if (answer.kind === "remaining") return answer.remainingMs;
  throw wrongAnswer("remaining", answer);
}

/** Returns what the resource let the worker read; `undefined` where it refused. */
export function* read(
  request: Omit<EffectOf<"read">, "kind">,
): WorkerProcedure<{ readonly saw: string | null } | undefined> {
  const answer = yield { kind: "read", ...request };
  if (answer.kind !== "was-read") throw wrongAnswer("read", answer);
  return answer.accepted ? { saw: answer.saw } : undefined;
}

export function* stamp(request: Omit<EffectOf<"stamp">, "kind">): WorkerProcedure {
  yield { kind: "stamp", ...request };
}

/** Returns whether a replica still has the lock's key. */
export function* askReplica(): WorkerProcedure<boolean> {
  const answer = yield { kind: "ask-replica" };
  if (answer.kind === "replica-answered") return answer.isHeld;
  throw wrongAnswer("ask-replica", answer);
}

export function* renew(request: Omit<EffectOf<"renew">, "kind">): WorkerProcedure {
  yield { kind: "renew", ...request };
}

/** Returns whether the resource accepted the write. */
export function* write(request: Omit<EffectOf<"write">, "kind">): WorkerProcedure<boolean> {
  const answer = yield { kind: "write", ...request };
  if (answer.kind === "written") return answer.accepted;
  throw wrongAnswer("write", answer);
}

export function* release(): WorkerProcedure<ResumptionOf<"released">> {
  const answer = yield { kind: "release" };
  if (answer.kind === "released") return answer;
  throw wrongAnswer("release", answer);
}

/** A driver's mistake, not an outcome. */
function wrongAnswer(asked: WorkerEffect["kind"], answer: WorkerResumption): Error {
  return new Error(`A driver answered "${asked}" with "${answer.kind}".`);
}
