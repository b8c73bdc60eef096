/**
 * Whether a schedule keeps to the assumptions under which exclusion is promised (design: "What is promised: the
 * envelope"), but for those that are lifted. Drawing and shrinking are both held to it.
 */
import type { Fault, PlannedFault } from "../faults/fault.ts";
import { longestLifetimeMs } from "../scenario/longest-lifetime.ts";
import type { RunPlan } from "../scenario/run-plan.ts";
import type { Allowance } from "./allowance.ts";

/** The first fault that lies outside; `undefined` for a schedule within the envelope. */
export function firstOutside(plan: RunPlan, allow: readonly Allowance[]): PlannedFault | undefined {
  return plan.faults.find(({ fault }) => {
    const needed = lifts(fault, plan);
    return needed !== undefined && !allow.includes(needed);
  });
}

/** The assumption that a fault breaks; `undefined` where it breaks none. */
function lifts(fault: Fault, plan: RunPlan): Allowance | undefined {
  switch (fault.kind) {
    case "jump-clock":
      return fault.byMs > 0 ? "clock-jump" : undefined;
    case "skew-clock":
      return fault.rate / slowestWorker(plan) > safeRate(plan) ? "drift" : undefined;
    case "skew-worker-clock":
      return fastestNode(plan) / fault.rate > safeRate(plan) ? "drift" : undefined;
    case "suspend-worker":
      return plan.settings.noticesSuspension ? undefined : "suspend";
    case "crash-node":
      return !isGuarded(plan) && forgetsOnCrash(plan) && isBackTooEarly(fault, plan)
        ? "restart-empty"
        : undefined;
    case "lose-power":
      return !isGuarded(plan) && forgetsOnPowerLoss(plan) && isBackTooEarly(fault, plan)
        ? "power-loss"
        : undefined;
    case "fail-over":
      return isGuarded(plan) ? undefined : "fail-over";
    case "exchange-node":
      return isGuarded(plan) ? undefined : "exchange";
    case "evict-key":
      return "eviction";
    case "flush-node":
      return isGuarded(plan) ? undefined : "flush";
    case "delete-key":
      return "flush";
    default:
      return undefined;
  }
}

/** How much faster than the holder's clock a node's may run: lifetime over validity (point 1). */
function safeRate({ workers, settings }: RunPlan): number {
  const rates = workers.map(({ ttlMs }) => {
    const driftMs = Math.ceil(ttlMs * settings.driftFactor) + 2;
    return ttlMs / (ttlMs - driftMs);
  });
  return Math.min(...rates);
}

const slowestWorker = ({ faults }: RunPlan): number =>
  Math.min(1, ...faults.flatMap(({ fault }) => (fault.kind === "skew-worker-clock" ? [fault.rate] : [])));

const fastestNode = ({ faults }: RunPlan): number =>
  Math.max(1, ...faults.flatMap(({ fault }) => (fault.kind === "skew-clock" ? [fault.rate] : [])));

/** A node that may have forgotten all its keys casts no vote; the loss of a single one is not seen (point 4). */
const isGuarded = ({ settings }: RunPlan): boolean => settings.restartGuard;

const forgetsOnCrash = ({ settings }: RunPlan): boolean => settings.persistence === "none";
const forgetsOnPowerLoss = ({ settings }: RunPlan): boolean => settings.persistence !== "aof-always";

/** A key set in the last instant before is believed in for one lifetime at most (point 4). */
function isBackTooEarly({ downForMs = Infinity }: { readonly downForMs?: number }, plan: RunPlan): boolean {
  return downForMs < longestLifetimeMs(plan);
}
