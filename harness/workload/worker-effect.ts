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
    }
  /** Extend the lock. Resumed with `extended` or `failed`. */
  | { readonly kind: "extend"; readonly ttlMs: number }
  /** Read the lock's `remainingMs()`. Resumed with `remaining`. */
  | { readonly kind: "remaining" }
  /** Write to the protected resource. Resumed with `written`. */
  | {
      readonly kind: "write";
      readonly resource: string;
      readonly hold: HoldId;
      readonly write: string;
      readonly fencingToken?: string;
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
