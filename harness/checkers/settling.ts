/**
 * L1: did every call come back in time? The bound of a call is what it may wait for; time in which its own
 * process was stopped does not count.
 */
import { type Call, callsOf } from "../history/calls.ts";
import type { HoldId } from "../history/event.ts";
import { eventsAmong } from "../history/events-of.ts";
import type { History, HistoryHeader } from "../history/history.ts";
import { endOfRun, isBefore, type Moment, momentOf } from "../history/moment.ts";
import { type WorkerPause, workerDeaths, workerPauses } from "../history/outages.ts";
import type { VacuityDemand } from "../scenario/run-plan.ts";
import { findSlowAcquires } from "./prompt-acquires.ts";
import { type Evidence, unknown, type Verdict, verdictFromEvidence } from "./verdict.ts";
import { formatMs } from "./wording.ts";

const NO_DEMANDS: VacuityDemand = { contention: false, events: [] };

interface JudgedCall {
  readonly call: Call;
  readonly endMs: number;
  readonly tookMs: number;
  readonly boundMs: number;
}

/** An open call of a killed worker is excused: nobody is left to return to. */
export function checkSettling(history: History, demands: VacuityDemand = NO_DEMANDS): Verdict {
  const calls = callsOf(history);
  if (calls.length === 0) return unknown("no worker ever called the coordinator");
  const killed = workerDeaths(history);
  const judged = calls
    .filter(({ worker, returned }) => returned !== undefined || !killed.has(worker))
    .map(judge(history));
  const late = judged.filter(({ tookMs, boundMs }) => tookMs > boundMs).map(evidenceOf);
  const slow = findSlowAcquires(history, demands);
  if (late.length + slow.length > 0) return verdictFromEvidence([...late, ...slow]);
  const open = judged.find(({ call }) => call.returned === undefined);
  if (open === undefined) return verdictFromEvidence([]);
  const { call, tookMs, boundMs } = open;
  const spent = `${formatMs(tookMs)} of the ${formatMs(boundMs)} ms`;
  return unknown(
    `the run ended while ${call.kind} ${call.id} of ${call.worker} had spent ${spent} that it may take`,
  );
}

function judge(history: History): (call: Call) => JudgedCall {
  const runEndMs = endOfRun(history.events).atMs;
  const pauses = workerPauses(history);
  const deadlines = deadlinesOf(history);
  return (call) => {
    const endMs = call.returned?.moment.atMs ?? runEndMs;
    const tookMs = endMs - call.invoked.atMs - pausedDuring(call, endMs, pauses);
    return { call, endMs, tookMs, boundMs: boundOf(call, history.header, deadlines) };
  };
}

function pausedDuring({ worker, invoked }: Call, endMs: number, pauses: readonly WorkerPause[]): number {
  return pauses
    .filter((pause) => pause.worker === worker)
    .map(({ fromMs, toMs }) => Math.min(toMs, endMs) - Math.max(fromMs, invoked.atMs))
    .reduce((sum, lengthMs) => sum + Math.max(0, lengthMs), 0);
}

function boundOf(call: Call, header: HistoryHeader, deadlines: Deadlines): number {
  const roundMs = header.nodeTimeoutMs + header.schedulingGraceMs;
  switch (call.kind) {
    case "acquire":
      return call.waitMs + roundMs + header.retryCapMs + tokenDrawMs(header);
    case "extend":
      return remainingMs(call.invoked, deadlines.get(call.hold) ?? []) + roundMs + header.retryCapMs;
    case "release":
      return roundMs;
  }
}

/** A token that comes after the TTL is of no use, so nobody waits longer for it. */
function tokenDrawMs({ fencing, ttlMs }: HistoryHeader): number {
  return fencing ? ttlMs : 0;
}

interface KnownDeadline {
  readonly since: Moment;
  readonly deadlineMs: number;
}

type Deadlines = ReadonlyMap<HoldId, readonly KnownDeadline[]>;

function deadlinesOf(history: History): Deadlines {
  const deadlines = new Map<HoldId, KnownDeadline[]>();
  for (const event of eventsAmong(history, ["acquire-granted", "extend-granted"])) {
    const known = { since: momentOf(event), deadlineMs: event.deadlineMs };
    deadlines.set(event.hold, [...(deadlines.get(event.hold) ?? []), known]);
  }
  return deadlines;
}

/** What was left of a hold when it was to be extended; 0 when it was over. */
function remainingMs(invoked: Moment, deadlines: readonly KnownDeadline[]): number {
  const known = deadlines.filter(({ since }) => isBefore(since, invoked));
  return known.reduce((longestMs, { deadlineMs }) => Math.max(longestMs, deadlineMs - invoked.atMs), 0);
}

function evidenceOf({ call, endMs, tookMs, boundMs }: JudgedCall): Evidence {
  const ending = call.returned === undefined ? "was still open after" : "came back after";
  return {
    sentence:
      `${call.kind} ${call.id} of ${call.worker}, invoked at ${formatMs(call.invoked.atMs)}, ${ending} ` +
      `${formatMs(tookMs)} ms; it may take ${formatMs(boundMs)} ms`,
    fromMs: call.invoked.atMs,
    toMs: endMs,
    seqs: call.returned === undefined ? [call.invoked.seq] : [call.invoked.seq, call.returned.moment.seq],
  };
}
