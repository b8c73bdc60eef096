/**
 * What a worker does, written once for every backend: acquire, work, write, release, again. It notes every
 * event of its own in the order in which it happens; only `belief-ended` is the driver's, because the
 * coordinator announces it at any time.
 */
import type { CallId, HoldId } from "../history/event.ts";
import {
  acquire,
  askReplica,
  extend,
  note,
  read,
  release,
  remainingMs,
  renew,
  sleep,
  stamp,
  type WorkerProcedure,
  write,
} from "./worker-effect.ts";
import type { WorkerPlan } from "./worker-plan.ts";

/** `fencing`: draw a token with each lock and show it to the resource. */
export function* worker(plan: WorkerPlan, { fencing }: { readonly fencing: boolean }): WorkerProcedure {
  const calls = callCounter(plan.id);
  let grantCount = 0;
  let before: Hold | undefined;

  yield* note({ kind: "worker-started", worker: plan.id });
  for (let cycle = 1; cycle <= plan.acquireCount; cycle += 1) {
    const isHandOver = before !== undefined;
    if (cycle > 1 && !isHandOver) yield* sleep(plan.idleMs);
    const hold = yield* take({ plan, fencing, calls, holdId: `${plan.id}/${grantCount + 1}`, isHandOver });
    before = undefined;
    if (hold === undefined) continue;
    grantCount += 1;
    yield* useResource({ plan, calls, hold });
    const isLast = grantCount === plan.grantsMax || cycle === plan.acquireCount;
    if (plan.handsOver === true && !isLast) before = hold;
    else yield* letGo({ plan, calls, hold });
    if (grantCount === plan.grantsMax) break;
  }
  yield* note({ kind: "worker-finished", worker: plan.id });
}

interface Hold {
  readonly id: HoldId;
  readonly fencingToken?: string;
}

interface InHold {
  readonly plan: WorkerPlan;
  readonly calls: CallCounter;
  readonly hold: Hold;
}

function* take(attempt: {
  readonly plan: WorkerPlan;
  readonly fencing: boolean;
  readonly calls: CallCounter;
  readonly holdId: HoldId;
  readonly isHandOver: boolean;
}): WorkerProcedure<Hold | undefined> {
  const { plan, fencing, holdId, isHandOver } = attempt;
  const { resource, ttlMs, waitMs } = plan;
  const same = { worker: plan.id, call: attempt.calls.next(), resource };

  yield* note({ kind: "acquire-invoked", ...same, ttlMs, waitMs });
  const answer = yield* acquire({ resource, ttlMs, waitMs, fencing, hold: holdId, isHandOver });
  if (answer.kind === "failed") {
    yield* note({ kind: "acquire-failed", ...same, code: answer.code, votes: answer.votes });
    return undefined;
  }
  const { value, deadlineMs, remainingMs: leftMs, votes, fencingToken } = answer;
  const grant = {
    kind: "acquire-granted",
    hold: holdId,
    value,
    deadlineMs,
    remainingMs: leftMs,
    votes,
    ...same,
  } as const;
  yield* note(fencingToken === undefined ? grant : { fencingToken, ...grant });
  return answer.fencingToken === undefined
    ? { id: holdId }
    : { id: holdId, fencingToken: answer.fencingToken };
}

function* useResource({ plan, calls, hold }: InHold): WorkerProcedure {
  const same = { worker: plan.id, hold: hold.id };

  yield* note({ kind: "section-entered", ...same });
  if (plan.renews) yield* renew({ ttlMs: plan.ttlMs, maxHoldMs: plan.maxHoldMs, hold: hold.id });
  const basis = yield* takeBasis(plan, hold);
  yield* sleep(plan.workMs);
  if (plan.extendMs > 0) yield* keep({ plan, calls, hold });
  if (basis.kind === "refused" || !(yield* mayWrite(plan))) yield* note({ kind: "write-skipped", ...same });
  else yield* writeOnce(plan, hold, basis);
  yield* sleep(plan.lingerMs);
  yield* note({ kind: "section-left", ...same });
}

/** What a write builds on: nothing, what was read first, or a stamp that was put on the resource. */
type Basis =
  | { readonly kind: "nothing" }
  | { readonly kind: "read"; readonly saw: string | null }
  | { readonly kind: "stamp" }
  | { readonly kind: "refused" };

function* takeBasis({ resource, readsFirst, stampsFirst }: WorkerPlan, hold: Hold): WorkerProcedure<Basis> {
  if (stampsFirst) {
    yield* stamp({ resource, hold: hold.id });
    return { kind: "stamp" };
  }
  if (!readsFirst) return { kind: "nothing" };
  const seen = yield* read({ resource, hold: hold.id, ...tokenOf(hold) });
  return seen === undefined ? { kind: "refused" } : { kind: "read", saw: seen.saw };
}

/** The last look before the write, where the plan takes one. */
function* mayWrite({ checkBeforeWrite, checksReplica }: WorkerPlan): WorkerProcedure<boolean> {
  if (checksReplica) return yield* askReplica();
  return !checkBeforeWrite || (yield* remainingMs()) > 0;
}

function tokenOf({ fencingToken }: Hold): { readonly fencingToken?: string } {
  return fencingToken === undefined ? {} : { fencingToken };
}

/** A worker whose extension failed goes on: what stops it is the look at its deadline, if it takes one. */
function* keep({ plan, calls, hold }: InHold): WorkerProcedure {
  const same = { worker: plan.id, call: calls.next(), hold: hold.id };

  yield* note({ kind: "extend-invoked", ...same, ttlMs: plan.extendMs });
  const answer = yield* extend(plan.extendMs);
  if (answer.kind === "failed") {
    yield* note({ kind: "extend-failed", ...same, code: answer.code, votes: answer.votes });
  } else {
    yield* note({ kind: "extend-granted", ...same, deadlineMs: answer.deadlineMs, votes: answer.votes });
  }
}

function* writeOnce({ id, resource }: WorkerPlan, hold: Hold, basis: Basis): WorkerProcedure {
  const same = { worker: id, hold: hold.id, write: `${hold.id}.1` };

  yield* note({ kind: "write-invoked", ...same });
  const accepted = yield* write({
    ...{ resource, hold: hold.id, write: same.write },
    ...tokenOf(hold),
    ...(basis.kind === "read" ? { basedOn: basis.saw } : {}),
    ...(basis.kind === "stamp" ? { ifStamped: true } : {}),
  });
  yield* note({ kind: "write-returned", ...same, accepted });
}

function* letGo({ plan, calls, hold }: InHold): WorkerProcedure {
  const same = { worker: plan.id, call: calls.next(), hold: hold.id };

  yield* note({ kind: "release-invoked", ...same });
  const { outcome, votes } = yield* release();
  yield* note({ kind: "release-returned", ...same, outcome, votes });
}

interface CallCounter {
  readonly next: () => CallId;
}

function callCounter(workerId: string): CallCounter {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return `${workerId}#${count}`;
    },
  };
}
