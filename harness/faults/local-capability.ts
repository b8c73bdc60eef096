/** What real servers on this machine cannot play, and why: one table, for the backend and for docs/faults.md. */
import type { RunPlan } from "../scenario/run-plan.ts";
import type { FaultKind } from "./fault.ts";

const NO_MACHINE = "all workers share this machine and its clocks";
const NO_REPLICAS = "the lab starts masters only";

/** Faults that are not listed can be injected. A reason ends a sentence that begins with "because". */
export const NOT_ON_LOCAL: Readonly<Partial<Record<FaultKind, string>>> = {
  "suspend-worker": NO_MACHINE,
  "jump-worker-clock": NO_MACHINE,
  "skew-worker-clock": NO_MACHINE,
  "lossy-link": "a proxy on TCP loses all of a direction or nothing",
  "slow-resource": "the resource has no proxy",
  "evict-key": "a real server chooses itself what it evicts",
  "fail-over": NO_REPLICAS,
  "hold-replication": NO_REPLICAS,
  "rewind-counter": "the counter is not replicated",
};

/** Why real servers cannot play the plan: every reason, each once. */
export function whyNotOnLocal({ faults, workers, settings, strategy, messages }: RunPlan): readonly string[] {
  const ofFaults = faults.flatMap(({ fault }) => {
    const reason = NOT_ON_LOCAL[fault.kind];
    return reason === undefined ? [] : [`${fault.kind} cannot be injected, because ${reason}`];
  });
  const triggers = [...faults.map(({ when }) => when), ...workers.map(({ startWhen }) => startWhen)];
  const others: readonly (readonly [applies: boolean, reason: string])[] = [
    [
      triggers.some(({ kind }) => kind === "before-effect"),
      "a real process cannot be stopped between two effects",
    ],
    [
      faults.some(({ fault }) => fault.kind === "pause-worker" && fault.resumeWith !== undefined),
      "what a real process takes first when it goes on is not in our hands",
    ],
    [messages !== undefined, "single messages cannot be held up or lost there"],
    [strategy !== "redlock", `real workers lock with the shipped coordinator, not with ${strategy}`],
    [
      settings.persistence !== "none" && faults.some(({ fault }) => fault.kind === "exchange-node"),
      "a server that is exchanged would find the files of the one before it",
    ],
    [
      settings.persistence !== "none" && faults.some(({ fault }) => fault.kind === "exchange-node"),
      "a server that is exchanged would find the files of the one before it",
    ],
    [settings.replicaCount > 0, NO_REPLICAS],
    [settings.tokenSource !== "counter", "real workers draw fencing tokens from one counter"],
    [settings.retryJitter !== 1, "the shipped coordinator has full jitter"],
    [workers.some(({ renews }) => renews === true), "the shipped lock does not renew itself yet"],
    [
      workers.some(({ readsFirst, stampsFirst }) => readsFirst === true || stampsFirst === true),
      "the real resource is only written to",
    ],
    [workers.some(({ checksReplica }) => checksReplica === true), NO_REPLICAS],
    [workers.some(({ membership }) => membership !== undefined), "real workers are configured alike"],
  ];
  const ofOthers = others.flatMap(([applies, reason]) => (applies ? [reason] : []));
  return [...new Set([...ofFaults, ...ofOthers])];
}
