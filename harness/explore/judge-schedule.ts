/** Plays a schedule in the simulation and says what it showed: safety first, then liveness, then whether anything. */
import { playSimulatedRun } from "../backends/simulated/simulated-run.ts";
import { ALL_CHECKERS } from "../checkers/all-checkers.ts";
import type { CheckerName } from "../checkers/checker-name.ts";
import type { Evidence } from "../checkers/verdict.ts";
import type { FaultKind } from "../faults/fault.ts";
import { eventsOf } from "../history/events-of.ts";
import type { History } from "../history/history.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import { PROBE } from "./draw-schedule.ts";
import { relevantFaults } from "./relevant-faults.ts";

/** What no schedule inside the envelope may show. */
const QUESTIONS: readonly (readonly [kind: Finding["kind"], checkers: readonly CheckerName[]])[] = [
  ["unsafe", ["declared", "danger", "hygiene"]],
  ["late", ["settling", "recovery", "progress"]],
];

export interface Finding {
  readonly kind: "unsafe" | "late";
  readonly checker: CheckerName;
  readonly evidence: Evidence;
}

export interface JudgedSchedule {
  readonly history: History;
  readonly finding: Finding | undefined;
  /** Nobody met anybody, so that it says nothing. */
  readonly isVacuous: boolean;
  /** The faults that took hold. */
  readonly applied: readonly AppliedFault[];
}

export interface AppliedFault {
  readonly kind: FaultKind;
  /** It touched a lock, or a call that was under way. */
  readonly isRelevant: boolean;
}

export function judgeSchedule(plan: RunPlan): JudgedSchedule {
  return judgeHistory(playSimulatedRun(plan), plan);
}

export function judgeHistory(history: History, plan: RunPlan): JudgedSchedule {
  return {
    history,
    finding: findIn(history, plan) ?? unserved(history),
    isVacuous: ALL_CHECKERS.vacuity(history, plan.demands).kind !== "valid",
    applied: appliedFaults(history, plan),
  };
}

/** The first that is found: safety goes before liveness. */
function findIn(history: History, { demands, faults }: RunPlan): Finding | undefined {
  // That a key was deleted by hand is no finding where the schedule says so; what comes of it is.
  const isDeletedByHand = faults.some(({ fault }) => fault.kind === "delete-key");
  for (const [kind, checkers] of QUESTIONS) {
    for (const checker of checkers) {
      if (checker === "hygiene" && isDeletedByHand) continue;
      const verdict = ALL_CHECKERS[checker](history, demands);
      if (verdict.kind === "invalid") return { kind, checker, evidence: verdict.evidence[0] };
    }
  }
  return undefined;
}

/** After everything the probe came, and waited for longer than any lock lives: it has to be granted. */
function unserved({ events }: History): Finding | undefined {
  const asked = events.find((event) => event.kind === "acquire-invoked" && event.worker === PROBE);
  const failed = events.find((event) => event.kind === "acquire-failed" && event.worker === PROBE);
  if (asked === undefined || failed === undefined) return undefined;
  const isTroubled = events.some(({ kind, atMs }) => kind === "fault-healed" && atMs > asked.atMs);
  if (isTroubled) return undefined;
  const sentence = `every fault was over, and ${PROBE} tried from ${asked.atMs} to ${failed.atMs} without being granted`;
  return {
    kind: "late",
    checker: "recovery",
    evidence: { sentence, seqs: [asked.seq, failed.seq], fromMs: asked.atMs, toMs: failed.atMs },
  };
}

function appliedFaults(history: History, { faults }: RunPlan): readonly AppliedFault[] {
  const kinds = new Map(faults.map(({ id, fault }) => [id, fault.kind]));
  const relevant = relevantFaults(history);
  return eventsOf(history, "fault-applied").flatMap(({ fault }) => {
    const kind = kinds.get(fault);
    return kind === undefined ? [] : [{ kind, isRelevant: relevant.has(fault) }];
  });
}
